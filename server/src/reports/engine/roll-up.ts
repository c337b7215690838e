// Stage 4 of a report run: runs the statements, in which ClickHouse rolls up the rows. If one answer cannot hold all levels, it reads fewer.
import type { DimensionName } from '@tributary/contract/reports/traffic'
import { isTooLarge } from '../../clickhouse/failure.ts'
import type { ReportStatements } from './compile.ts'
import type { PageStatements, RowStatement } from './compile-rows.ts'
import { type Components, type ExactNumber, toExactNumber } from './components.ts'
import { NO_ROWS, readRows, type SummedRow, type SummedRows } from './read-rows.ts'
import type { RunStatement } from './run-statement.ts'
import { readUnallocatedSpend, type UnallocatedSpend } from './unallocated-spend.ts'

/** Groups of all levels with components. */
export interface SummedReport extends Pick<SummedRows, 'rows' | 'items' | 'players' | 'isRateMissing'> {
  /** The levels of the rows. Inner levels are missing if one answer cannot hold them. */
  readonly levels: readonly DimensionName[]
  readonly total: Components
  /** The total covers only rows that pass the metric filters, without unallocated spend. */
  readonly isTotalFiltered: boolean
  /** All unallocated spend, regardless of the metric filters. */
  readonly unallocated: readonly UnallocatedSpend[]
}

/**
 * Stage 4 of a report run: runs the statements and returns groups of all levels with exact components. Throws if ClickHouse fails or times
 * out.
 */
export async function rollUp(statements: ReportStatements, run: RunStatement): Promise<SummedReport> {
  const page = await rollUpPage(statements, run)
  const [unallocated, filtered] = await Promise.all([
    page.unallocatedGroups === 0 ? [] : rollUpUnallocated(statements, page, run),
    readFilteredTotal(statements, run),
  ])
  const { rows, items, isRateMissing } = page
  const levels = page.levels ?? statements.levels
  const { total, players } = filtered ?? page
  const counted = filtered === null ? await countPlayers(statements, run) : null
  const isTotalFiltered = filtered !== null
  return {
    rows,
    levels,
    items,
    isRateMissing,
    unallocated,
    total,
    isTotalFiltered,
    players: counted?.players ?? players,
  }
}

interface SummedPage extends SummedRows {
  /** Null if there was no statement. */
  readonly levels: readonly DimensionName[] | null
}

/** Reads the page in one statement. If that is too large, it reads first-level rows, then as many inner levels as one answer can hold. */
async function rollUpPage({ whole, page, inner }: ReportStatements, run: RunStatement): Promise<SummedPage> {
  if (page === null) return readStatement(whole, run)
  const summed = whole === null ? null : await nullIfTooLarge(readStatement(whole, run))
  if (summed !== null) return summed
  const first = await readPage(page(), run)
  const ids = first.rows.flatMap(({ ids }) => ids.slice(0, 1))
  for (const statement of inner(ids)) {
    const below = await nullIfTooLarge(readStatement(statement, run))
    if (below === null) continue
    const children = new Map(below.rows.map((row) => [row.ids[0], row.children]))
    const rows = first.rows.map((row): SummedRow => ({ ...row, children: children.get(row.ids[0]) ?? [] }))
    return { ...first, rows, levels: below.levels }
  }
  return first
}

async function readStatement(statement: RowStatement | null, run: RunStatement): Promise<SummedPage> {
  if (statement === null) return { ...NO_ROWS, levels: null }
  const { layout } = statement
  return { ...(await run(statement, (answer) => readRows(answer, layout))), levels: layout.levels }
}

async function readPage(statements: PageStatements | null, run: RunStatement): Promise<SummedPage> {
  if (statements === null) return readStatement(null, run)
  const { page, items, total } = statements
  if (items === null) return readStatement(page, run)
  const [{ rows, levels }, count, whole] = await Promise.all([
    readStatement(page, run),
    run(items, ([[count = 0] = []]) => Number(count)),
    readStatement(total, run),
  ])
  return { ...whole, rows, levels, items: count }
}

/** Resolves to null if the result is too large. */
async function nullIfTooLarge<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (isTooLarge(error)) return null
    throw error
  }
}

async function rollUpUnallocated(
  { unallocated }: ReportStatements,
  { unallocatedGroups, listedGroups: namedGroups }: SummedRows,
  run: RunStatement,
): Promise<UnallocatedSpend[]> {
  const areNamed = namedGroups.length > 0 && unallocatedGroups === namedGroups.length
  const statement = unallocated(areNamed ? namedGroups : null)
  return statement === null ? [] : run(statement, readUnallocatedSpend)
}

/** The total of the rows that pass the metric filters. */
export interface FilteredTotal {
  readonly total: Components
  readonly players: number
}

type TotalStatements = Pick<ReportStatements, 'filteredTotal' | 'playerCount'>

/** Null without metric filters. Statements run one after the other, because each may need memory for all groups of the report. */
export async function readFilteredTotal(
  { filteredTotal, playerCount }: TotalStatements,
  run: RunStatement,
): Promise<FilteredTotal | null> {
  if (filteredTotal === null) return null
  const { total, players } = await readStatement(filteredTotal, run)
  const counted = await countPlayers({ playerCount }, run)
  return counted === null ? { total, players } : { total: { ...total, ...counted.bettors }, players: counted.players }
}

/** Null if the total of the report already has the count. */
async function countPlayers(
  { playerCount }: Pick<ReportStatements, 'playerCount'>,
  run: RunStatement,
): Promise<{ players: number; bettors: Components } | null> {
  if (playerCount === null) return null
  const [players = 0, bettors = 0, bettors_2]: ExactNumber[] = await run(playerCount, ([row = []]) =>
    row.map(toExactNumber),
  )
  return { players: Number(players), bettors: { bettors, ...(bettors_2 !== undefined && { bettors_2 }) } }
}
