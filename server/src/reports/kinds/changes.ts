// What has changed in a report since a moment: the report as it was known then and as it is known now, compared number by number, with the
// causes that the log of facts gives. The same scope and the same hidden numbers as the report.
import { ALL } from '@tributary/contract/limits'
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
import { isoOf } from '../../clickhouse/moment.ts'
import { readBegin } from '../../facts/log-begin.ts'
import { readReportSetting } from '../engine/context.ts'
import { parseQuestion } from '../engine/parse.ts'
import { planReport } from '../engine/plan.ts'
import type { Question, Viewer } from '../engine/query.ts'
import type { GroupId } from '../engine/read-rows.ts'
import { prepareRun } from '../engine/run-statement.ts'
import { readTitles } from '../engine/titles.ts'
import { dimensionSql } from '../model/dimension.ts'
import { compileChanges } from './compile-changes.ts'
import { type ReadReport, type ReportEngines, readGeneralReport } from './general.ts'

/** Innermost groups with a cause: beyond, the older ones are left out and the answer says so. */
const GROUPS_CAP = 20_000

export async function answerGeneralReportChanges(
  request: ReportChangesRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<ReportChangesAnswer> {
  const { postgres, clickhouse } = engines
  const [setting, begin] = await Promise.all([readReportSetting(postgres), readBegin(clickhouse)])
  const { secondDateFrom: _from, secondDateTo: _to, ...filter } = request.filter
  const asked = { filter: { ...filter, knownAt: request.since }, cfFilter: {}, pagination: { page: 1, limit: ALL } }
  const then = parseQuestion(asked, viewer, setting)
  const since = new Date(request.since).toISOString()
  const answer = { since, known_from: begin?.toISOString() ?? null, changes: [], is_truncated: false }
  // A moment that has not come.
  if (then.knownAt === null) return answer
  const plan = planReport(then, then.metrics)
  const statement = compileChanges(then, plan, setting.zone, GROUPS_CAP + 1)
  const found = statement === null ? [] : await prepareRun(clickhouse, then, signal)(statement, (rows) => rows)
  if (found.length === 0) return answer
  const causes = await readCauses(found, then.levels.length, viewer, engines)
  const read = (question: Question): Promise<ReadReport> => readGeneralReport(question, viewer, engines, signal)
  const moved = onlyMoved(then, causes)
  const [before, now, totalBefore, totalNow] = await Promise.all([
    read(moved),
    read({ ...moved, knownAt: null }),
    read({ ...then, levels: [] }),
    read({ ...then, levels: [], knownAt: null }),
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

/** First-level groups with a change: the others are not compared. */
function onlyMoved(question: Question, causes: readonly FoundCause[]): Question {
  const [first] = question.levels
  if (first === undefined) return question
  const values = [...new Set(causes.map(({ path }) => path[0] ?? ''))]
  return { ...question, conditions: [...question.conditions, { on: dimensionSql(first), operator: 'in', values }] }
}

async function readCauses(
  rows: readonly unknown[][],
  depth: number,
  viewer: Viewer,
  { postgres }: ReportEngines,
): Promise<FoundCause[]> {
  const actorOf = (row: readonly unknown[]): number => (viewer.role === 'PARTNER' ? 0 : Number(row[depth + 1]))
  const people = await readTitles(postgres, 'user', rows.map(actorOf))
  return rows.slice(0, GROUPS_CAP).map((row) => {
    const actor = actorOf(row)
    return {
      // The statement's own columns: ids of the groups first.
      path: row.slice(0, depth) as GroupId[],
      cause: nameCause(String(row[depth]), Number(row[depth + 2]) > 0),
      actor: actor === 0 ? null : { id: actor, title: people.get(actor)?.title ?? `#${actor}` },
      count: Number(row[depth + 3]),
      at: isoOf(String(row[depth + 4])),
    }
  })
}

/** Causes as the record writes them (who changes something says why, or else the trigger names the table). */
const CAUSES: readonly (readonly [RegExp, ChangeCause])[] = [
  [/^click$/, 'click'],
  [/^approval$/, 'approval'],
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

export function nameCause(text: string, isLate: boolean): ChangeCause {
  const cause = CAUSES.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'
  return cause === 'postback' && isLate ? 'late_postback' : cause
}

const groupOf = (row: ReportRow): ReportGroup | undefined => row.g ?? row.sg ?? row.tg ?? row.fg
const keyOf = (row: ReportRow): string => String(groupOf(row)?.id ?? `nus ${row.s?.id}`)

/** Rows as they stand now, those that are gone at the end. */
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
    // A row that is not there has nothing of what others have none of.
    const isSame = old === current || (isNothing(old) && isNothing(current) && (!before || !now))
    return isSame ? [] : [{ metric, before: old, now: current }]
  })
  if (cells.length > 0) changes.push({ ...place, cells, causes: mergeCauses(causes) })
}

/** One line for each cause and person, the newest first. */
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
