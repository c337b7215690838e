// Merges two versions of a row that two users changed. It never drops input without asking.
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import { rowsOf } from './form-change.ts'
import { type ChildRow, type FormRow, formFields, isSame, toWireValue, writableFields } from './form-row.ts'
import {
  conflictKey,
  differingCells,
  findRowConflicts,
  type RowSide,
  reapplyChanges,
  withoutKeys,
} from './row-conflict.ts'

/** A field whose form value and stored value differ. */
export interface Difference {
  readonly name: string
  readonly field: Field
  readonly mine: unknown
  readonly theirs: unknown
  /** Both changed the field; otherwise the side that changed it is proposed. */
  readonly isConflict: boolean
  readonly proposed: Side
}

/** `both`: my changes applied to their version, where a value has parts. */
export type Side = 'mine' | 'theirs' | 'both'

/** The sides that a field offers. A collection never offers my whole version, which would drop their rows. */
export function sidesOf(field: Field): readonly Side[] {
  if (field.kind === 'children') return ['both', 'theirs']
  const hasParts = field.kind === 'references' || field.kind === 'choices' || field.kind === 'texts'
  return hasParts || (field.kind === 'text' && field.format === 'long')
    ? ['mine', 'theirs', 'both']
    : ['mine', 'theirs']
}

/** Rows without keys of the screen. */
function comparable(field: Field, value: unknown): unknown {
  if (field.kind !== 'children') return toWireValue(field, value)
  return rowsOf(value).map(withoutKeys)
}

/** `base`: as I loaded it; `mine`: as it is in my form; `theirs`: as it is stored. */
export function findDifferences(name: EntityName, base: FormRow, mine: FormRow, theirs: FormRow): Difference[] {
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

/** The row to save: theirs, with the chosen fields of mine. My changes of a collection are applied to their rows. */
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
      merged[field] = reapplyChanges(versions, (row) => sideOf(field, row, versions, rowSides))
    } else if (side === 'both') merged[field] = mergeValue(base[field], mine[field], theirs[field])
  }
  return merged
}

/** By default, the side that loses no input. */
function sideOf(
  field: string,
  row: ChildRow,
  { base, mine, theirs }: { base: readonly ChildRow[]; mine: readonly ChildRow[]; theirs: readonly ChildRow[] },
  chosen: ReadonlyMap<string, RowSide>,
): RowSide {
  const key = conflictKey(field, row)
  const proposed = () => findRowConflicts(field, base, mine, theirs).find((conflict) => conflict.key === key)?.proposed
  return chosen.get(key) ?? proposed() ?? 'mine'
}

function mergeValue(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (Array.isArray(mine) && Array.isArray(theirs) && Array.isArray(base)) return mergeSets(base, mine, theirs)
  return [theirs, mine].filter((text) => typeof text === 'string' && text !== '').join('\n')
}

/** Options are equal if their ids are. */
const keyOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : value

/** Theirs without the values that I removed, with those that I added. */
function mergeSets(base: readonly unknown[], mine: readonly unknown[], theirs: readonly unknown[]): unknown[] {
  const [was, own, other] = [base, mine, theirs].map((values) => new Set(values.map(keyOf)))
  const kept = theirs.filter((value) => own?.has(keyOf(value)) || !was?.has(keyOf(value)))
  const added = mine.filter((value) => !was?.has(keyOf(value)) && !other?.has(keyOf(value)))
  return [...kept, ...added]
}

/** Counts added, changed and removed rows of a collection. */
export function countChanges(base: unknown, value: unknown): { added: number; changed: number; removed: number } {
  const [before, after] = [rowsOf(base), rowsOf(value)]
  const left = after.filter(({ _status }) => _status !== 'deleted')
  const known = left.flatMap((row) => {
    const was = before.find(({ id }) => id === row.id)
    return was === undefined ? [] : [[was, row] as const]
  })
  return {
    added: left.length - known.length,
    changed: known.filter(([was, row]) => differingCells(row, was).length > 0).length,
    removed: before.length - known.length,
  }
}
