// Which facts of players a cause changed, with their values before and after. An imported report replaces its rows, and the log of facts keeps both
// versions.
import type { FactChange } from '@tributary/contract/calls/period-close'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { formatMoney, parseMoney } from '@tributary/contract/money'
import { sql } from 'kysely'
import type { Clickhouse } from '../clickhouse/client.ts'
import { entityNamed } from '../entities/engine/model/model.ts'
import { type Db, mayView, type RequestContext } from '../entities/engine/model/request-context.ts'
import { readReportCurrency } from '../entities/rules/finance.ts'
import type { StoredCause } from './cause-changes.ts'

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

/** The time in which the causes of an entry became known. */
interface KnownRange {
  /** Null: from the first version on. */
  readonly since: Date | null
  readonly until: Date
}

/** From the former entry of the same key until the entry. */
async function readKnownRange(db: Db, entry: number): Promise<KnownRange> {
  const { rows } = await sql<KnownRange>`
    select e.known_at as until, (
      select max(b.known_at) from ledger_entry b where b.id < e.id and b.partner_id = e.partner_id and b.earned_month = e.earned_month
        and b.offer_partner_id = e.offer_partner_id and b.advertiser_id = e.advertiser_id and b.kind = e.kind and b.currency_id = e.currency_id
        and (b.stream_id, b.traffic_source_id, b.country_id) is not distinct from (e.stream_id, e.traffic_source_id, e.country_id)) as since
    from ledger_entry e where e.id = ${entry}`.execute(db)
  return rows[0] ?? { since: null, until: new Date(0) }
}

/** In the order of the causes; empty if the caller may not view players. */
export async function readFactChanges(
  context: RequestContext,
  entry: number,
  causes: readonly StoredCause[],
): Promise<Pick<AnswerOf<'ledger_entry_changes'>, 'facts' | 'report_currency'>> {
  const { postgres, clickhouse } = context.engines
  const { db } = postgres
  const known = await readKnownRange(db, entry)
  const isShown = mayView(context, entityNamed('player'))
  const facts: FactChange[][] = []
  for (const cause of causes) facts.push(isShown ? await readChangesBy(clickhouse, cause, known) : [])
  const currency = await readReportCurrency(db)
  const { rows } = await sql<{ code: string }>`select value as code from currency where id = ${currency}::int`.execute(
    db,
  )
  return { facts, report_currency: rows[0]?.code ?? null }
}

/** Of the players that the cause names, the earliest days first. */
async function readChangesBy(
  clickhouse: Clickhouse,
  { cause, user, records = [] }: StoredCause,
  { since, until }: KnownRange,
): Promise<FactChange[]> {
  const players = [...new Set(records.flatMap(({ entity, id }) => (entity === 'player' ? [id] : [])))]
  if (players.length === 0) return []
  const [from, to] = [since ?? new Date(0), until].map((at) => at.toISOString().replace('T', ' ').replace('Z', ''))
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
