// Merges a collection that two users changed: applies my changes to their rows, cell by cell. The user decides conflicts.
import { rowsOf } from './form-change.ts'
import { type ChildRow, isNewChild, isSame, makeRowKey, makeTempId } from './form-row.ts'

/** Which version of a row is kept. */
export type RowSide = 'mine' | 'theirs'

/** A row of a collection that two users changed or deleted. */
export interface RowConflict {
  /** Identifies the conflict in the whole form. */
  readonly key: string
  /** What each of us did to the row. */
  readonly kind: 'theyRemoved' | 'iRemoved' | 'bothChanged'
  /** The row before both changes. */
  readonly base: ChildRow
  readonly mine: ChildRow
  readonly theirs: ChildRow | null
  /** The differing cells; for a deleted row, the cells that the other user changed. */
  readonly cells: readonly string[]
  /** The side that loses no input. */
  readonly proposed: RowSide
}

const isRow = (value: unknown): value is ChildRow => typeof value === 'object' && value !== null && '_key' in value
const isRows = (value: unknown): value is ChildRow[] => Array.isArray(value) && value.some(isRow)

/** Removes the screen's own keys of rows, at any depth. */
export function withoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeys)
  if (!isRow(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => (name === '_key' ? [] : [[name, withoutKeys(part)]])),
  )
}

const MARKS: ReadonlySet<string> = new Set(['_key', '_status', 'id'])

/** The cells in which two versions of a row differ. */
export const differingCells = (a: ChildRow, b: ChildRow): string[] =>
  Object.keys(a).filter((name) => !MARKS.has(name) && !isSame(withoutKeys(a[name]), withoutKeys(b[name])))

const isGone = (row: ChildRow): boolean => row._status === 'deleted'

/** `RowConflict.key` of a row of the collection `field`. */
export const conflictKey = (field: string, { id }: ChildRow): string => `${field}.${id}`

/** `base`, `mine` and `theirs` are form values. */
export function findRowConflicts(field: string, base: unknown, mine: unknown, theirs: unknown): RowConflict[] {
  const others = rowsOf(theirs)
  const before = rowsOf(base)
  return rowsOf(mine).flatMap((own) => {
    const was = before.find(({ id }) => id === own.id)
    if (was === undefined || isNewChild(own)) return []
    const conflict = compare(was, own, others.find(({ id }) => id === own.id) ?? null)
    return conflict === null ? [] : [{ key: conflictKey(field, own), base: was, mine: own, ...conflict }]
  })
}

function compare(
  was: ChildRow,
  own: ChildRow,
  other: ChildRow | null,
): Omit<RowConflict, 'key' | 'base' | 'mine'> | null {
  const changed = differingCells(own, was)
  if (other === null)
    return isGone(own) || changed.length === 0
      ? null
      : { kind: 'theyRemoved', theirs: null, cells: changed, proposed: 'mine' }
  const theirChanges = differingCells(other, was)
  if (isGone(own))
    return theirChanges.length === 0
      ? null
      : { kind: 'iRemoved', theirs: other, cells: theirChanges, proposed: 'theirs' }
  // Conflicts inside a nested collection are found there.
  const both = differingCells(own, other).filter(
    (name) => changed.includes(name) && theirChanges.includes(name) && !isRows(own[name]),
  )
  return both.length === 0 ? null : { kind: 'bothChanged', theirs: other, cells: both, proposed: 'mine' }
}

/** Applies my changes to their rows; `sideOf` decides the rows in conflict. */
export function reapplyChanges(
  { base, mine, theirs }: { base: readonly ChildRow[]; mine: readonly ChildRow[]; theirs: readonly ChildRow[] },
  sideOf: (row: ChildRow) => RowSide,
): ChildRow[] {
  const kept = theirs.map((row) => {
    const own = mine.find(({ id }) => id === row.id)
    const was = base.find(({ id }) => id === row.id)
    return own === undefined || was === undefined ? row : reapplyRow(was, own, row, sideOf(own))
  })
  const revived = mine.flatMap((own) => {
    const was = base.find(({ id }) => id === own.id)
    const isLost = was !== undefined && !theirs.some(({ id }) => id === own.id)
    if (!isLost || isGone(own) || differingCells(own, was).length === 0 || sideOf(own) === 'theirs') return []
    return [recreateRow(own)]
  })
  return [...kept, ...revived, ...mine.filter(isNewChild)]
}

function reapplyRow(was: ChildRow, own: ChildRow, other: ChildRow, side: RowSide): ChildRow {
  if (isGone(own))
    return side === 'theirs' && differingCells(other, was).length > 0 ? other : { ...other, _status: 'deleted' }
  const row: ChildRow = { ...other }
  for (const name of differingCells(own, was)) {
    const [mine, before, theirs] = [own[name], was[name], other[name]]
    if (isRows(mine) || isRows(before) || isRows(theirs))
      row[name] = reapplyChanges({ base: rowsOf(before), mine: rowsOf(mine), theirs: rowsOf(theirs) }, () => side)
    else if (side === 'mine' || isSame(withoutKeys(theirs), withoutKeys(before))) row[name] = mine
  }
  return row
}

/** Recreates a row that they deleted, with its nested rows. */
function recreateRow(row: ChildRow): ChildRow {
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    isRows(value) ? value.filter((inner) => !isGone(inner)).map(recreateRow) : value,
  ])
  return { ...(Object.fromEntries(cells) as ChildRow), id: makeTempId(), _key: makeRowKey(), _status: null }
}
