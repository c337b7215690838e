// Merges two versions of a record that two people changed. Nothing that was typed is dropped without asking.
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import { rowsOf } from './form-change.ts'
import { type ChildRow, type FormRow, formFields, isSame, toWireValue, writableFields } from './form-row.ts'
import { cellsApart, conflictKey, type RowSide, repeatChanges, rowConflictsOf, withoutKeys } from './row-conflict.ts'

export interface Difference {
  readonly name: string
  readonly field: Field
  readonly mine: unknown
  readonly theirs: unknown
  /** Both have changed it; otherwise only one has, and that one is proposed. */
  readonly isConflict: boolean
  readonly proposed: Side
}

/** `both`: my changes made again on their version, where a value has parts. */
export type Side = 'mine' | 'theirs' | 'both'

/** Whether two versions of a field can become one. Of a collection my whole version is never taken: their rows would be lost. */
export function sidesOf(field: Field): readonly Side[] {
  if (field.kind === 'children') return ['both', 'theirs']
  const hasParts = field.kind === 'references' || field.kind === 'choices' || field.kind === 'texts'
  return hasParts || (field.kind === 'text' && field.format === 'long')
    ? ['mine', 'theirs', 'both']
    : ['mine', 'theirs']
}

/** Rows without what is only for the screen. */
function comparable(field: Field, value: unknown): unknown {
  if (field.kind !== 'children') return toWireValue(field, value)
  return rowsOf(value).map(withoutKeys)
}

/** `base` = as I read it, `mine` = as I have it now, `theirs` = as it is stored now. */
export function differencesOf(name: EntityName, base: FormRow, mine: FormRow, theirs: FormRow): Difference[] {
  return writableFields(name, false).flatMap(([field, declared]) => {
    const [was, own, other] = [base, mine, theirs].map((row) => comparable(declared, row[field]))
    if (isSame(own, other)) return []
    const isMineChanged = !isSame(own, was)
    const isTheirsChanged = !isSame(other, was)
    return [
      {
        name: field,
        field: declared,
        mine: mine[field],
        theirs: theirs[field],
        isConflict: isMineChanged && isTheirsChanged,
        proposed: propose(declared, isMineChanged, isTheirsChanged),
      },
    ]
  })
}

function propose(field: Field, isMineChanged: boolean, isTheirsChanged: boolean): Side {
  if (!isMineChanged) return 'theirs'
  return sidesOf(field).includes('both') && (isTheirsChanged || field.kind === 'children') ? 'both' : 'mine'
}

/** The row to save: theirs, with what was chosen of mine laid over it. My changes of a collection are made again on their rows. */
export function mergeRows(
  name: EntityName,
  { base, mine, theirs }: { base: FormRow; mine: FormRow; theirs: FormRow },
  chosen: ReadonlyMap<string, Side>,
  rowSides: ReadonlyMap<string, RowSide> = new Map(),
): FormRow {
  const merged: FormRow = { ...theirs }
  for (const [field, declared] of formFields(name)) {
    const side = chosen.get(field) ?? 'theirs'
    if (side === 'mine') merged[field] = mine[field]
    else if (side === 'both' && declared.kind === 'children') {
      const versions = { base: rowsOf(base[field]), mine: rowsOf(mine[field]), theirs: rowsOf(theirs[field]) }
      merged[field] = repeatChanges(versions, (row) => sideOf(field, row, versions, rowSides))
    } else if (side === 'both') merged[field] = mergeValue(base[field], mine[field], theirs[field])
  }
  return merged
}

/** Unasked, what loses nothing. */
function sideOf(
  field: string,
  row: ChildRow,
  { base, mine, theirs }: { base: readonly ChildRow[]; mine: readonly ChildRow[]; theirs: readonly ChildRow[] },
  chosen: ReadonlyMap<string, RowSide>,
): RowSide {
  const key = conflictKey(field, row)
  const proposed = () => rowConflictsOf(field, base, mine, theirs).find((conflict) => conflict.key === key)?.proposed
  return chosen.get(key) ?? proposed() ?? 'mine'
}

function mergeValue(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (Array.isArray(mine) && Array.isArray(theirs) && Array.isArray(base)) return mergeSets(base, mine, theirs)
  return [theirs, mine].filter((text) => typeof text === 'string' && text !== '').join('\n')
}

/** Options are the same when their ids are. */
const keyOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : value

/** Theirs without what I have taken away, with what I have added. */
function mergeSets(base: readonly unknown[], mine: readonly unknown[], theirs: readonly unknown[]): unknown[] {
  const [was, own, other] = [base, mine, theirs].map((values) => new Set(values.map(keyOf)))
  const kept = theirs.filter((value) => own?.has(keyOf(value)) || !was?.has(keyOf(value)))
  const added = mine.filter((value) => !was?.has(keyOf(value)) && !other?.has(keyOf(value)))
  return [...kept, ...added]
}

/** How a collection differs from what was read: rows added, changed and taken away. */
export function countChanges(base: unknown, value: unknown): { added: number; changed: number; removed: number } {
  const [before, after] = [rowsOf(base), rowsOf(value)]
  const left = after.filter(({ _status }) => _status !== 'deleted')
  const known = left.flatMap((row) => {
    const was = before.find(({ id }) => id === row.id)
    return was === undefined ? [] : [[was, row] as const]
  })
  return {
    added: left.length - known.length,
    changed: known.filter(([was, row]) => cellsApart(row, was).length > 0).length,
    removed: before.length - known.length,
  }
}
