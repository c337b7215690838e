// Which facts of players a cause changed, with their values before and after. An imported report replaces its rows, and the log of facts keeps both
// versions.
import type { FactChange } from '@tributary/contract/calls/period-close'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import type { LedgerCause } from '@tributary/contract/entities/ledger-entry'
import { formatMoney, parseMoney } from '@tributary/contract/money'
import { sql } from 'kysely'
import type { Clickhouse } from '../clickhouse/client.ts'
import { entityNamed } from '../entities/engine/model/model.ts'
import { mayView, type RequestContext } from '../entities/engine/model/request-context.ts'
import { readReportCurrency } from '../entities/rules/finance.ts'
import { timeText } from '../facts/cause.ts'
import type { CauseRange } from './ledger-store.ts'

type Metric = FactChange['metric']

/** The columns of the log. */
const COLUMNS = {
  registrations: 'registrations',
  new_deposits: 'first_deposits',
  qualified_players: 'qualified_players',
  deposits_count: 'deposits_count',
  deposits_amount: 'deposits',
  bets: 'bets',
  income: 'income',
} satisfies Record<Metric, string>
const METRICS = Object.keys(COLUMNS) as Metric[]
/** In the report currency; the others are counts. */
const AMOUNTS: readonly Metric[] = ['deposits_amount', 'bets', 'income']

/** Maximum number of changes of a cause. */
const FACTS_SHOWN = 10

type Version = Readonly<Record<Metric, string>> & {
  readonly player: number
  readonly day: string
  readonly is_deleted: number
  readonly is_caused: number
}

/** In the order of the causes; empty if the caller may not view players. */
export async function readFactChanges(
  context: RequestContext,
  causes: readonly LedgerCause[],
  range: CauseRange,
): Promise<Pick<AnswerOf<'ledger_entry_changes'>, 'facts' | 'report_currency'>> {
  const { postgres, clickhouse } = context.engines
  const { db } = postgres
  const isShown = mayView(context, entityNamed('player'))
  const facts: FactChange[][] = []
  for (const cause of causes) facts.push(isShown ? await readChangesBy(clickhouse, cause, range) : [])
  const currency = await readReportCurrency(db)
  const { rows } = await sql<{ code: string }>`select value as code from currency where id = ${currency}::int`.execute(
    db,
  )
  return { facts, report_currency: rows[0]?.code ?? null }
}

/** Of the players that the cause names, the earliest days first. */
async function readChangesBy(
  clickhouse: Clickhouse,
  { cause, user, records = [] }: LedgerCause,
  { since, until }: CauseRange,
): Promise<FactChange[]> {
  const players = [...new Set(records.flatMap(({ entity, id }) => (entity === 'player' ? [id] : [])))]
  if (players.length === 0) return []
  const [from, to] = [timeText((since ?? new Date(0)).getTime()), timeText(until.getTime())]
  const isCaused =
    'cause = {cause:String} and actor_id = {user:UInt32} and known_at > {from:DateTime64(3)} and known_at <= {to:DateTime64(3)}'
  const versions = await clickhouse.query<Version>(
    `select player_id as player, toString(day) as day, is_deleted, ${isCaused} as is_caused,
  ${METRICS.map((name) => `toString(${COLUMNS[name]}) as ${name}`).join(', ')}
from activity_fact_log where player_id in {players:Array(UInt32)} and known_at <= {to:DateTime64(3)}
  and (player_id, day) in (select player_id, day from activity_fact_log where player_id in {players:Array(UInt32)} and ${isCaused})
order by activity_fact_log.day, player_id, version`,
    { players, cause, user, from, to },
    { lane: 'long' },
  )
  const byDay = Map.groupBy(versions, ({ player, day }) => `${day} ${player}`)
  return [...byDay.values()].flatMap((own) => changesOf(own)).slice(0, FACTS_SHOWN)
}

function changesOf(versions: readonly Version[]): FactChange[] {
  const first = versions.findIndex(({ is_caused }) => is_caused === 1)
  const after = versions.findLast(({ is_caused }) => is_caused === 1)
  if (after === undefined) return []
  const before = versions[first - 1]
  const { player, day } = after
  return METRICS.flatMap((metric) => {
    const change = { player, day, metric, before: figureOf(before, metric), after: figureOf(after, metric) }
    return change.before === change.after ? [] : [change]
  })
}

function figureOf(version: Version | undefined, metric: Metric): string {
  const value = version === undefined || version.is_deleted === 1 ? '0' : version[metric]
  return AMOUNTS.includes(metric) ? formatMoney(parseMoney(value) ?? 0n) : value
}
