// Two people have changed the same record: which fields differ, and how what is chosen of both becomes one row. Nothing that was typed is dropped unasked.
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import { rowsOf } from './form-change.ts'
import { type ChildRow, type FormRow, formFields, isNewChild, isSame, toWireValue, writableFields } from './form-row.ts'

export interface Difference {
  readonly name: string
  readonly field: Field
  readonly mine: unknown
  readonly theirs: unknown
  /** Both have changed it; otherwise only one has, and that one is proposed. */
  readonly isConflict: boolean
  readonly proposed: Side
}

export type Side = 'mine' | 'theirs'

/** Rows without what is only for the screen. */
function comparable(field: Field, value: unknown): unknown {
  if (field.kind !== 'children') return toWireValue(field, value)
  return rowsOf(value).map(({ _key, ...row }) => row)
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
        proposed: isMineChanged ? ('mine' as const) : ('theirs' as const),
      },
    ]
  })
}

/** The row to save: theirs, with what was chosen of mine laid over it. My changes of a collection are made again on their rows. */
export function mergeRows(
  name: EntityName,
  { base, mine, theirs }: { base: FormRow; mine: FormRow; theirs: FormRow },
  chosen: ReadonlyMap<string, Side>,
): FormRow {
  const merged: FormRow = { ...theirs }
  for (const [field, declared] of formFields(name)) {
    if (chosen.get(field) !== 'mine') continue
    merged[field] =
      declared.kind === 'children'
        ? repeatChanges(rowsOf(base[field]), rowsOf(mine[field]), rowsOf(theirs[field]))
        : mine[field]
  }
  return merged
}

function repeatChanges(base: readonly ChildRow[], mine: readonly ChildRow[], theirs: readonly ChildRow[]): ChildRow[] {
  const kept = theirs.map((row) => {
    const own = mine.find(({ id }) => id === row.id)
    const was = base.find(({ id }) => id === row.id)
    if (own === undefined || was === undefined) return row
    const changed = Object.entries(own).filter(([field, value]) => !isSame(value, was[field]))
    return { ...row, ...Object.fromEntries(changed) }
  })
  return [...kept, ...mine.filter(isNewChild)]
}
