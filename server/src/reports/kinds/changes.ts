// Answers "what changed since": compares the report as known at a moment with the report as known now, number by number, and adds causes from
// the log of facts. The viewer's scope and hidden metrics apply as in the report.
import {
  CHANGES_CAP,
  type ChangeCause,
  type ReportChange,
  type ReportChangeCause,
  type ReportChangesAnswer,
  type ReportChangesRequest,
} from '@tributary/contract/reports/changes'
import type { MetricKey, Metrics, ReportGroup, ReportRow } from '@tributary/contract/reports/general'
import { METRIC_KEYS } from '@tributary/contract/reports/general'
import { isoOf } from '../../clickhouse/statement.ts'
import { readLogStart } from '../../facts/watermark.ts'
import { openReportContext, type ReportContext, type ReportEngines } from '../engine/context.ts'
import type { ReportResult } from '../engine/format.ts'
import { parseQuery, type ReportRequest } from '../engine/parse.ts'
import { planReport } from '../engine/plan.ts'
import type { Condition, GroupId, ReportQuery, Viewer } from '../engine/query.ts'
import { runReport } from '../engine/run-report.ts'
import { createStatementRunner } from '../engine/run-statement.ts'
import { readTitles } from '../engine/titles.ts'
import { dimensionSql } from '../model/dimension.ts'
import { compileChanges } from './compile-changes.ts'

/** At most this many groups with causes are read, newest first. If there are more, the answer is marked as truncated. */
const GROUPS_CAP = 20_000

export async function answerGeneralReportChanges(
  request: ReportChangesRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<ReportChangesAnswer> {
  const [context, current, begin] = await Promise.all([
    openReportContext(viewer, engines, signal, request.since),
    openReportContext(viewer, engines, signal),
    readLogStart(engines.clickhouse),
  ])
  const { secondDateFrom: _from, secondDateTo: _to, knownAt: _known, ...filter } = request.filter
  const then: ReportRequest = { filter: { ...filter, knownAt: request.since } }
  const query = parseQuery(then, context)
  const since = new Date(request.since).toISOString()
  const answer = { since, known_from: begin?.toISOString() ?? null, changes: [], is_truncated: false }
  // The moment is in the future.
  if (query.knownAt === null) return answer
  const statement = compileChanges(query, planReport(query, query.metrics), context.setting.zone, GROUPS_CAP + 1)
  const found = statement === null ? [] : await createStatementRunner(context, query)(statement, (rows) => rows)
  if (found.length === 0) return answer
  const causes = await readCauses(found, query.levels.length, context)
  const run = (more: Partial<ReportRequest>): Promise<ReportResult> =>
    runReport({ ...then, ...more }, more.filter === undefined ? context : current)
  const conditions = changedGroups(query, causes)
  const shape = { levels: [], rowsBy: 'traffic' } as const
  const [before, now, totalBefore, totalNow] = await Promise.all([
    run({ conditions }),
    run({ conditions, filter }),
    run({ shape }),
    run({ shape, filter }),
  ])
  const changes: ReportChange[] = []
  addChange(changes, { path: [] }, totalBefore.total, totalNow.total, causes)
  compareRows(changes, [], before.rows, now.rows, causes)
  return {
    ...answer,
    changes: changes.slice(0, CHANGES_CAP),
    is_truncated: changes.length > CHANGES_CAP || found.length > GROUPS_CAP,
  }
}

interface FoundCause extends ReportChangeCause {
  readonly path: readonly GroupId[]
}

/** Only first-level groups with a change are compared. */
function changedGroups({ levels: [first] }: ReportQuery, causes: readonly FoundCause[]): Condition[] {
  if (first === undefined) return []
  const values = [...new Set(causes.map(({ path }) => path[0] ?? ''))]
  return [{ on: dimensionSql(first), operator: 'in', values }]
}

async function readCauses(
  rows: readonly unknown[][],
  depth: number,
  { viewer, postgres }: ReportContext,
): Promise<FoundCause[]> {
  const found = rows.slice(0, GROUPS_CAP).map((row) => {
    // `compileChanges` returns these columns.
    const [cause, actor, isLate, count, at] = row.slice(depth)
    return {
      path: row.slice(0, depth) as GroupId[],
      cause,
      actor: Number(actor),
      isLate: Number(isLate) > 0,
      count,
      at,
    }
  })
  const isNamed = viewer.role !== 'PARTNER'
  const people = await readTitles(postgres, 'user', isNamed ? found.map(({ actor }) => actor) : [])
  return found.map(({ path, cause, actor, isLate, count, at }) => ({
    path,
    cause: nameCause(String(cause), isLate),
    actor: isNamed && actor !== 0 ? { id: actor, title: people.get(actor)?.title ?? `#${actor}` } : null,
    count: Number(count),
    at: isoOf(String(at)),
  }))
}

/** Maps the text of a cause in the log to the cause of the answer. The text is set by the changing code, else it is the table's name. */
const CAUSES: readonly (readonly [RegExp, ChangeCause])[] = [
  [/^click$/, 'click'],
  [/^(approval|payment resolution)$/, 'approval'],
  [/^history$/, 'history'],
  [/^qualification$/, 'qualification'],
  [/^rebuild$/, 'rebuild'],
  [/postback|player_event/, 'postback'],
  [/report|import|players_api/, 'report'],
  [/spend/, 'spend'],
  [/rate/, 'rate'],
  [/player/, 'player'],
  [/offer|payment_model|stream|link|advertiser/, 'terms'],
]

/** 'update player: why' → 'update player'. */
const withoutReason = (text: string): string => text.replace(/^([a-z]+ [a-z_]+): .+$/s, '$1')

export function nameCause(given: string, isLate: boolean): ChangeCause {
  const text = withoutReason(given)
  const cause = CAUSES.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'
  return cause === 'postback' && isLate ? 'late_postback' : cause
}

const groupOf = (row: ReportRow): ReportGroup | undefined => row.g ?? row.sg ?? row.tg ?? row.fg
const keyOf = (row: ReportRow): string => String(groupOf(row)?.id ?? `nus ${row.s?.id}`)

/** Compares rows in their current order; rows that no longer exist come last. */
function compareRows(
  changes: ReportChange[],
  above: readonly ReportGroup[],
  before: readonly ReportRow[],
  now: readonly ReportRow[],
  causes: readonly FoundCause[],
): void {
  const known = new Map(before.map((row) => [keyOf(row), row]))
  const left = new Set(known.keys())
  const compare = (row: ReportRow, old: ReportRow | undefined, current: ReportRow | undefined): void => {
    const group = groupOf(row)
    const path = group === undefined ? [...above] : [...above, group]
    const own = row.s === undefined ? causesUnder(causes, path.length - 1, group?.id) : causes.filter(isOfSpend)
    const place = row.s === undefined ? { path } : { path, s: row.s }
    addChange(changes, place, old?.m, current?.m, own)
    compareRows(changes, path, old?.children ?? [], current?.children ?? [], own)
  }
  for (const row of now) {
    left.delete(keyOf(row))
    compare(row, known.get(keyOf(row)), row)
  }
  for (const row of before) if (left.has(keyOf(row))) compare(row, row, undefined)
}

const isOfSpend = ({ cause }: FoundCause): boolean => cause === 'spend' || cause === 'rate' || cause === 'rebuild'

const causesUnder = (causes: readonly FoundCause[], depth: number, id: GroupId | undefined): FoundCause[] =>
  causes.filter(({ path }) => path[depth] === id)

function addChange(
  changes: ReportChange[],
  place: Pick<ReportChange, 'path' | 's'>,
  before: Metrics | undefined,
  now: Metrics | undefined,
  causes: readonly FoundCause[],
): void {
  const cells = METRIC_KEYS.flatMap((metric: MetricKey) => {
    const [old, current] = [before?.[metric] ?? null, now?.[metric] ?? null]
    const isNothing = (value: number | null) => value === null || value === 0
    // If the row exists at only one of the moments, null and 0 count as equal to its absence.
    const isSame = old === current || (isNothing(old) && isNothing(current) && (!before || !now))
    return isSame ? [] : [{ metric, before: old, now: current }]
  })
  if (cells.length > 0) changes.push({ ...place, cells, causes: mergeCauses(causes) })
}

/** Merges causes to one entry for each cause and person, newest first. */
function mergeCauses(causes: readonly FoundCause[]): ReportChangeCause[] {
  const merged = new Map<string, ReportChangeCause>()
  for (const { cause, actor, count, at } of causes) {
    const key = `${cause} ${actor?.id}`
    const known = merged.get(key)
    merged.set(key, {
      cause,
      actor,
      count: (known?.count ?? 0) + count,
      at: known === undefined || at > known.at ? at : known.at,
    })
  }
  return [...merged.values()].toSorted((a, b) => (a.at < b.at ? 1 : -1))
}
