// Answers new deposits by day, week or month: for each partner, or for each stream with its traffic source and country.
import type { Language } from '@tributary/contract/language'
import { LEVELS } from '@tributary/contract/reports/choices'
import type { GeneralReportRowsAnswer, ReportGroup, ReportRow } from '@tributary/contract/reports/general'
import {
  NEW_DEPOSIT_REPORTS,
  type NewDepositAnswer,
  type NewDepositGroup,
  type NewDepositName,
  type NewDepositRequest,
  type NewDepositRow,
  type NewDepositRowsRequest,
} from '@tributary/contract/reports/kinds'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import { sql } from 'kysely'
import type { Postgres } from '../../postgres/client.ts'
import { openReportContext, type ReportEngines } from '../engine/context.ts'
import { parseQuery, type ReportRequest } from '../engine/parse.ts'
import type { Viewer } from '../engine/query.ts'
import { runReport } from '../engine/run-report.ts'
import { placeholderOf, toReportGroup } from '../engine/titles.ts'
import { readFreshness } from '../freshness.ts'
import { cohortStart, stepFrom } from './cohort-query.ts'
import { answerCellRows } from './drill-down.ts'
import { FLAT_VARIANT, narrowToPeriod, toHeader } from './fixed-shape.ts'

export async function answerNewDeposits(
  { filter }: NewDepositRequest,
  name: NewDepositName,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<NewDepositAnswer> {
  const freshness = await readFreshness(engines.postgres)
  const context = await openReportContext(viewer, engines, signal)
  const result = await runReport(toRequest(filter, name), context)
  const gathered = groupRows(result.rows, NEW_DEPOSIT_REPORTS[name])
  const streams = gathered.flatMap(({ stream }) => (stream === undefined ? [] : [Number(stream.id)]))
  const ownerOf = await readOwners(engines.postgres, streams, viewer.language)
  const rows = gathered.map((row) => ({ ...row, partner: row.partner ?? ownerOf(Number(row.stream?.id ?? 0)) }))
  const cells: Record<string, number> = {}
  for (const row of rows)
    for (const [date, count] of Object.entries(row.cells)) cells[date] = (cells[date] ?? 0) + count
  const { from, to } = result.query.first
  const { period } = filter
  const periods: NewDepositAnswer['periods'] = []
  for (let date = cohortStart(period, from); date <= to; date = stepFrom(period, date, 1))
    periods.push({ date, title: toReportGroup(period, date, new Map(), viewer.language).title })
  return {
    ...toHeader(result, context, freshness),
    periods,
    rows: rows.toSorted((a, b) => b.total - a.total),
    total: { cells, total: rows.reduce((sum, row) => sum + row.total, 0) },
  }
}

function toRequest({ period, ...filter }: NewDepositRequest['filter'], name: NewDepositName): ReportRequest {
  const levels: DimensionName[] = [...NEW_DEPOSIT_REPORTS[name], period]
  return { filter, shape: { levels, rowsBy: 'deposits', metrics: ['nd'] }, variant: FLAT_VARIANT }
}

export async function answerNewDepositRows(
  { filter, cell, pagination }: NewDepositRowsRequest,
  name: NewDepositName,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<GeneralReportRowsAnswer> {
  const context = await openReportContext(viewer, engines, signal)
  const query = parseQuery(narrowToPeriod(toRequest(filter, name), filter.period, cell), context)
  return answerCellRows(query, cell, pagination, context)
}

type GroupedRow = Partial<Record<NewDepositGroup, ReportGroup>> & Pick<NewDepositRow, 'cells' | 'total'>

/** Merges the flat rows to one row per group and keeps their order. */
function groupRows(found: readonly ReportRow[], groups: readonly NewDepositGroup[]): GroupedRow[] {
  const rows = new Map<string, GroupedRow>()
  for (const cell of found) {
    const path = LEVELS.map((level) => cell[level])
    const date = path[groups.length]?.date
    if (date === undefined) continue
    const named = groups.map((group, depth) => [group, path[depth]] as const)
    const key = named.map(([, group]) => group?.id).join(' ')
    const row = rows.get(key) ?? { ...Object.fromEntries(named), cells: {}, total: 0 }
    rows.set(key, row)
    row.cells[date] = (row.cells[date] ?? 0) + (cell.m.nd ?? 0)
    row.total += cell.m.nd ?? 0
  }
  return [...rows.values()]
}

/** Finds the partner of each stream; stream 0 and deleted streams have none. The ids must come from facts within scope. */
async function readOwners(
  { db }: Postgres,
  streams: readonly number[],
  language: Language,
): Promise<(stream: number) => ReportGroup> {
  const none = { id: 0, title: placeholderOf('partner', language) }
  const wanted = [...new Set(streams)].filter((id) => id !== 0)
  if (wanted.length === 0) return () => none
  const { rows } = await sql<{ id: number; partner: number; title: string }>`
    select s.id, p.id as partner, p.title from partner_stream s join partner p on p.id = s.partner_id
    where s.id = any(${wanted})`.execute(db)
  const owners = new Map(rows.map(({ id, partner, title }) => [id, { id: partner, title }]))
  return (stream) => owners.get(stream) ?? none
}
