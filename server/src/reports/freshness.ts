// Reports how far facts lag behind the record: which waiting changes affect which data, and the watermark of each source.
import type { Language } from '@tributary/contract/language'
import type { ReportNotification, ReportNotificationQuery, ReportSources } from '@tributary/contract/reports/general'
import { monthOfDay } from '../facts/months/month-changes.ts'
import { ANNOUNCE_AFTER, readWatermark } from '../facts/watermark.ts'
import type { Postgres } from '../postgres/client.ts'

type Flag = Exclude<keyof ReportNotification, 'version'>

/** Maps each kind of outbox change to the notification of the data that it affects. */
const FLAGS: Readonly<Record<string, Flag>> = {
  player: 'update_report_data',
  currency: 'update_report_data',
  offer: 'update_base_line',
  payment_model: 'update_base_line',
  link: 'update_base_line',
  spend: 'update_spend',
  stream: 'update_spend',
  partner: 'update_report_data',
}

/** A rebuild rewrites all facts. */
const EVERY_FLAG: readonly Flag[] = ['update_base_line', 'update_report_data', 'update_spend']

const SENTENCES: Readonly<Record<Language, Readonly<Record<Flag, string>>>> = {
  en: {
    update_base_line: 'Baseline data is being updated',
    update_report_data: 'Deposit data is being updated',
    update_spend: 'Agent spend data is being updated',
  },
  ru: {
    update_base_line: 'Данные базлайна обновляются',
    update_report_data: 'Данные депозитов обновляются',
    update_spend: 'Данные расходов агентов обновляются',
  },
}

/** Business days, both included. */
type Days = { readonly from: string; readonly to: string }

/** One sentence for each kind of data that is being recomputed, else ''. With `periods`, only changes that affect them count. */
export async function readNotification(
  postgres: Postgres,
  language: Language,
  periods: readonly Days[] = [],
): Promise<ReportNotification> {
  const [kinds, { rows: rebuilds }] = await Promise.all([
    readWaitingKinds(postgres, periods),
    postgres.pool.query(`select 1 from facts_rebuild where state in ('waiting', 'running') limit 1`),
  ])
  const flags = new Set(rebuilds.length > 0 ? EVERY_FLAG : kinds.flatMap((kind) => FLAGS[kind] ?? []))
  const sentence = (flag: Flag): string => (flags.has(flag) ? SENTENCES[language][flag] : '')
  return {
    update_base_line: sentence('update_base_line'),
    update_report_data: sentence('update_report_data'),
    update_spend: sentence('update_spend'),
  }
}

const VERSION = `select case
    when exists (select from fact_write, unnest(months) as month where month >= $1) then ''
    else (select coalesce(sum(number), 0)::text from fact_month where month >= $1)
  end as version`

/**
 * Changes with every write of facts of the first day's month or a later one: cohorts and clicks count what came later. '' while such a
 * write is going on.
 */
export async function readFactsVersion({ pool }: Postgres, periods: readonly Days[]): Promise<string> {
  const [first = ''] = periods.map(({ from }) => monthOfDay(from)).sort()
  const { rows } = await pool.query<{ version: string }>(VERSION, [first])
  return rows[0]?.version ?? ''
}

/** The periods of a filter; a single end means one day. Without periods every change affects the report. */
export function notifiedPeriods(query: ReportNotificationQuery): Days[] {
  const pairs = [
    [query.dateFrom, query.dateTo],
    [query.secondDateFrom, query.secondDateTo],
  ] as const
  return pairs.flatMap(([from, to]) => {
    const [first, last] = [from ?? to, to ?? from]
    return first === undefined || last === undefined ? [] : [{ from: first, to: last }]
  })
}

/** At most this many waiting changes are checked one by one; if there are more, they affect every period. */
const CHECKED_CHANGES = 2000

const IN_PERIODS = (day: string): string =>
  `exists (select from unnest($3::date[], $4::date[]) as days (first, last) where ${day} between days.first and days.last)`
const MOMENT_IN_PERIODS = (moment: string): string =>
  `exists (select from unnest($3::date[], $4::date[]) as days (first, last)
    where ${moment} >= days.first::timestamp at time zone zone and ${moment} < (days.last + 1)::timestamp at time zone zone)`

/** A deleted row, or one that many facts depend on, affects every period. A player affects the days of registration, events and player reports. */
const AFFECTING = `with waiting as materialized (
    select kind, key from outbox where created_at < now() - $1::interval order by id limit $2),
  zone as (select business_time_zone as zone from setting limit 1)
select distinct kind from waiting cross join zone
where kind not in ('player', 'spend')
  or (select count(*) from waiting) >= $2
  or (kind = 'spend' and coalesce((select ${IN_PERIODS('s.date')} from partner_spend s where s.id = key), true))
  or (kind = 'player' and (
    coalesce((select p.registered_at is not null and ${MOMENT_IN_PERIODS('p.registered_at')} from player p where p.id = key), true)
    or exists (select from player_event e where e.player_id = key and ${MOMENT_IN_PERIODS('e.happened_at')})
    or exists (select from player_report r where r.player_id = key and ${IN_PERIODS('r.report_date')})))`

async function readWaitingKinds({ pool }: Postgres, periods: readonly Days[]): Promise<string[]> {
  const { rows } =
    periods.length === 0
      ? await pool.query<{ kind: string }>('select distinct kind from outbox where created_at < now() - $1::interval', [
          ANNOUNCE_AFTER,
        ])
      : await pool.query<{ kind: string }>(AFFECTING, [
          ANNOUNCE_AFTER,
          CHECKED_CHANGES,
          periods.map(({ from }) => from),
          periods.map(({ to }) => to),
        ])
  return rows.map(({ kind }) => kind)
}

const WAITING = `select
  exists (select from outbox where kind <> 'spend') or r.is_running as players,
  exists (select from outbox where kind not in ('player', 'partner')) or r.is_running as spends
from (select exists (select from facts_rebuild where state in ('waiting', 'running')) as is_running) as r`

/** Times in ISO 8601 up to which all sources together, and each source by itself, are complete. */
export interface Freshness {
  readonly watermark: string
  readonly sources: ReportSources
}

/** Must be read before any fact, so that the facts are at least as fresh. A source without waiting changes is fresh as of now. */
export async function readFreshness(postgres: Postgres): Promise<Freshness> {
  const { clicks, record } = await readWatermark(postgres)
  // The clock must be read before the outbox, so that a change in between does not count as included.
  const now = new Date(Date.now())
  const { rows } = await postgres.pool.query<{ players: boolean; spends: boolean }>(WAITING)
  const later = record > now ? record : now
  const [waiting = { players: true, spends: true }] = rows
  return {
    watermark: new Date(Math.min(clicks.getTime(), record.getTime())).toISOString(),
    sources: {
      clicks: clicks.toISOString(),
      players: (waiting.players ? record : later).toISOString(),
      spends: (waiting.spends ? record : later).toISOString(),
    },
  }
}
