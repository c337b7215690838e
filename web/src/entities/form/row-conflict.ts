// Merges a collection that two people changed. My changes are applied to their rows, cell by cell; conflicts are for the person to decide.
import { rowsOf } from './form-change.ts'
import { type ChildRow, isNewChild, isSame, makeRowKey, makeTempId } from './form-row.ts'

export type RowSide = 'mine' | 'theirs'

export interface RowConflict {
  /** Of the choice, among those of the whole form. */
  readonly key: string
  /** What was done to the row by them and by me. */
  readonly kind: 'theyRemoved' | 'iRemoved' | 'bothChanged'
  /** The row as it was before. */
  readonly base: ChildRow
  readonly mine: ChildRow
  readonly theirs: ChildRow | null
  /** What differs: of a row that is gone, what the other has changed in it. */
  readonly cells: readonly string[]
  /** What loses nothing that was typed. */
  readonly proposed: RowSide
}

const isRow = (value: unknown): value is ChildRow => typeof value === 'object' && value !== null && '_key' in value
const isRows = (value: unknown): value is ChildRow[] => Array.isArray(value) && value.some(isRow)

/** Without the keys that lines have on the screen alone, at any depth. */
export function withoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeys)
  if (!isRow(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => (name === '_key' ? [] : [[name, withoutKeys(part)]])),
  )
}

const MARKS: ReadonlySet<string> = new Set(['_key', '_status', 'id'])

/** The cells in which one version of a row differs from another. */
export const cellsApart = (a: ChildRow, b: ChildRow): string[] =>
  Object.keys(a).filter((name) => !MARKS.has(name) && !isSame(withoutKeys(a[name]), withoutKeys(b[name])))

const isGone = (row: ChildRow): boolean => row._status === 'deleted'

export const conflictKey = (field: string, { id }: ChildRow): string => `${field}.${id}`

/** Values as forms hold them. */
export function rowConflictsOf(field: string, base: unknown, mine: unknown, theirs: unknown): RowConflict[] {
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
  const changed = cellsApart(own, was)
  if (other === null)
    return isGone(own) || changed.length === 0
      ? null
      : { kind: 'theyRemoved', theirs: null, cells: changed, proposed: 'mine' }
  const theirChanges = cellsApart(other, was)
  if (isGone(own))
    return theirChanges.length === 0
      ? null
      : { kind: 'iRemoved', theirs: other, cells: theirChanges, proposed: 'theirs' }
  // What lies inside a cell is made one there.
  const both = cellsApart(own, other).filter(
    (name) => changed.includes(name) && theirChanges.includes(name) && !isRows(own[name]),
  )
  return both.length === 0 ? null : { kind: 'bothChanged', theirs: other, cells: both, proposed: 'mine' }
}

/** My changes made again on their rows; `sideOf` answers for the rows in conflict. */
export function repeatChanges(
  { base, mine, theirs }: { base: readonly ChildRow[]; mine: readonly ChildRow[]; theirs: readonly ChildRow[] },
  sideOf: (row: ChildRow) => RowSide,
): ChildRow[] {
  const kept = theirs.map((row) => {
    const own = mine.find(({ id }) => id === row.id)
    const was = base.find(({ id }) => id === row.id)
    return own === undefined || was === undefined ? row : repeatRow(was, own, row, sideOf(own))
  })
  const revived = mine.flatMap((own) => {
    const was = base.find(({ id }) => id === own.id)
    const isLost = was !== undefined && !theirs.some(({ id }) => id === own.id)
    if (!isLost || isGone(own) || cellsApart(own, was).length === 0 || sideOf(own) === 'theirs') return []
    return [asNew(own)]
  })
  return [...kept, ...revived, ...mine.filter(isNewChild)]
}

function repeatRow(was: ChildRow, own: ChildRow, other: ChildRow, side: RowSide): ChildRow {
  if (isGone(own))
    return side === 'theirs' && cellsApart(other, was).length > 0 ? other : { ...other, _status: 'deleted' }
  const row: ChildRow = { ...other }
  for (const name of cellsApart(own, was)) {
    const [mine, before, theirs] = [own[name], was[name], other[name]]
    if (isRows(mine) || isRows(before) || isRows(theirs))
      row[name] = repeatChanges({ base: rowsOf(before), mine: rowsOf(mine), theirs: rowsOf(theirs) }, () => side)
    else if (side === 'mine' || isSame(withoutKeys(theirs), withoutKeys(before))) row[name] = mine
  }
  return row
}

/** What they have deleted is made anew, with all that is in it. */
function asNew(row: ChildRow): ChildRow {
  const cells = Object.entries(row).map(([name, value]) => [
    name,
    isRows(value) ? value.filter((inner) => !isGone(inner)).map(asNew) : value,
  ])
  return { ...(Object.fromEntries(cells) as ChildRow), id: makeTempId(), _key: makeRowKey(), _status: null }
}
