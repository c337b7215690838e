// The handler that returns a player's time line in chronological order and the progress towards qualification.
import type { Calls } from '@tributary/contract/calls/registry'
import { formatMoney } from '@tributary/contract/money'
import { endOfDay } from '@tributary/contract/period'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { entityNamed, fieldsOf, type Row, readRowId } from '../entities/engine/model/model.ts'
import { isVisible, type RequestContext, readBusinessZone } from '../entities/engine/model/request-context.ts'
import { readEntity } from '../entities/engine/store.ts'
import { readReportCurrency } from '../entities/rules/finance.ts'
import { type PlayerProgress, readPlayerProgress } from '../facts/players/player-progress.ts'
import type { Services } from '../services.ts'
import { timeOfClickId } from '../tracker/clicks/click-id.ts'
import type { Handler } from './handler.ts'

type Timeline = z.output<Calls['player_timeline']['answer']>
type Entry = Timeline['entries'][number]
type Qualification = NonNullable<Timeline['qualification']>

/** Maximum number of entries of one kind; older ones are cut. */
const ENTRIES_CAP = 500

const BLANK = {
  at: null,
  day: null,
  id: null,
  title: null,
  amount: null,
  currency: null,
  state: null,
  counts: true,
  note: null,
  figures: null,
  converted: null,
  by: null,
} as const

const player = entityNamed('player')

export const readTimeline: Handler<Calls['player_timeline']> = async ({ params, person, context }, services) => {
  const id = readRowId(params.id)
  const row = await readEntity(context, player, id, { detailed: false })
  const isPartner = person.role === 'PARTNER'
  const [eventEntries, reports, postbacks, changes, progress, zone] = await Promise.all([
    readEvents(services, id),
    readReports(services, id, isPartner),
    readPostbacks(services, id),
    isPartner ? [] : readChanges(services, id, hiddenNames(context)),
    readPlayerProgress(services.postgres, id),
    readBusinessZone(services.postgres.db),
  ])
  const covered = new Set(reports.map(({ day }) => day))
  const events = eventEntries.map((event): Entry => ({ ...event, day: null, counts: !covered.has(event.day) }))
  const entries = [...rowEntries(row), ...events, ...reports, ...postbacks, ...changes].sort(
    (a, b) => timeOf(a, zone) - timeOf(b, zone),
  )
  const isCut = [eventEntries, reports, postbacks, changes].some((list) => list.length >= ENTRIES_CAP)
  return {
    entries,
    is_cut: isCut,
    qualification: progress === undefined ? null : await describe(services, row, progress),
  }
}

/** Entries without a time sort after all others of their day. */
const timeOf = ({ at, day }: Entry, zone: string): number =>
  at === null ? endOfDay(day ?? '1970-01-01', zone) : Date.parse(at)

const text = (value: unknown): string | null => {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** Entries from the player's own row. */
function rowEntries(row: Row): Entry[] {
  const entries: Entry[] = []
  const click = text(row.click_id)
  const clicked = click === null ? undefined : timeOfClickId(click)
  if (clicked !== undefined) entries.push({ ...BLANK, kind: 'click', at: new Date(clicked).toISOString(), id: click })
  if (row.registered_at !== null) entries.push({ ...BLANK, kind: 'registration', at: text(row.registered_at) })
  if (row.qualified_at !== null) entries.push({ ...BLANK, kind: 'qualified', day: text(row.qualified_at) })
  return entries
}

/** SQL: the code of the report currency, `report`, and the rate to it on a day, `rate`; both empty if there is nothing to convert. */
const rateOn = (
  reportCurrency: number | undefined,
  currency: string,
  day: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  left join lateral (select coalesce(nullif(o.value, ''), o.title) as report, (select rate from currency_rate
      where currency_id = ${sql.ref(currency)} and active and date <= ${day} order by date desc limit 1) as rate
    from currency o where o.id <> ${sql.ref(currency)} and o.id = ${reportCurrency ?? null}::int) q on true`

interface EventRow {
  type: string
  at: Date
  day: string
  amount: string | null
  currency: string | null
  transaction_id: string | null
  report: string | null
  converted: string | null
}

async function readEvents({ postgres }: Services, id: number): Promise<(Entry & { day: string })[]> {
  const report = await readReportCurrency(postgres.db)
  const { rows } =
    await sql<EventRow>`select e.type, e.happened_at as at, (e.happened_at at time zone s.business_time_zone)::date as day,
      e.amount, c.value as currency, e.transaction_id, q.report, round(e.amount * q.rate, 2)::text as converted
    from player_event e cross join setting s left join currency c on c.id = e.currency_id
      ${rateOn(report, 'e.currency_id', sql`(e.happened_at at time zone s.business_time_zone)::date`)}
    where e.player_id = ${id} and e.type <> 'reg' order by e.happened_at desc limit ${ENTRIES_CAP}`.execute(postgres.db)
  return rows.map((row) => ({
    ...BLANK,
    kind: row.type === 'dep' ? 'deposit' : row.type === 'bet' ? 'bet' : 'event',
    at: row.at.toISOString(),
    day: row.day,
    title: row.type,
    amount: row.amount,
    currency: row.currency,
    note: row.transaction_id,
    converted:
      row.report === null || row.converted === null
        ? null
        : { amount: row.converted, figures: null, currency: row.report },
  }))
}

const FIGURES = ['deposits_count', 'deposits', 'bets', 'bonus', 'commission', 'total_commission', 'income'] as const
const MONEY_FIGURES = FIGURES.filter((name) => name !== 'deposits_count')
/** Figures that a partner may see: none of the advertiser's income. */
const PARTNER_FIGURES: readonly string[] = ['deposits_count', 'deposits', 'bets']

async function readReports({ postgres }: Services, id: number, isPartner: boolean): Promise<Entry[]> {
  const report = await readReportCurrency(postgres.db)
  const { rows } =
    await sql<Row>`select r.id, r.report_date, r.deposits_count, r.deposits, r.bets, r.bonus, r.commission, r.total_commission,
      r.income, c.value as currency, f.file_name, q.report as report_currency, q.rate,
      jsonb_build_object(${sql.join(MONEY_FIGURES.map((name) => sql`${sql.lit(name)}, round(${sql.ref(`r.${name}`)} * q.rate, 2)::text`))}) as converted
    from player_report r join currency c on c.id = r.currency_id left join report f on f.id = r.report_id
      ${rateOn(report, 'r.currency_id', sql`r.report_date`)}
    where r.player_id = ${id} order by r.report_date desc limit ${ENTRIES_CAP}`.execute(postgres.db)
  return rows.map((row) => ({
    ...BLANK,
    kind: 'report',
    id: Number(row.id),
    day: String(row.report_date),
    currency: text(row.currency),
    title: isPartner ? null : text(row.file_name),
    figures: Object.fromEntries(
      FIGURES.filter((name) => !isPartner || PARTNER_FIGURES.includes(name)).map((name) => [name, String(row[name])]),
    ),
    converted: convertedFigures(row, isPartner),
  }))
}

function convertedFigures({ report_currency, rate, converted }: Row, isPartner: boolean): Entry['converted'] {
  if (typeof report_currency !== 'string' || rate === null) return null
  const figures = Object.entries(Object(converted) as Record<string, string | null>).flatMap(([name, value]) =>
    value === null || (isPartner && !PARTNER_FIGURES.includes(name)) ? [] : [[name, value] as const],
  )
  return { amount: null, figures: Object.fromEntries(figures), currency: report_currency }
}

interface PostbackRow {
  id: number
  created_at: Date
  direction: 'in' | 'out'
  status: string
  event_type: string | null
  error: string | null
}

/** Reads outbound postbacks, and inbound ones that were not accepted; accepted ones appear as events. */
async function readPostbacks({ postgres }: Services, id: number): Promise<Entry[]> {
  const { rows } = await sql<PostbackRow>`select id, created_at, direction, status, event_type, error from postback
    where player_id = ${id} and (direction = 'out' or status <> 'accepted') order by id desc limit ${ENTRIES_CAP}`.execute(
    postgres.db,
  )
  return rows.map((row) => ({
    ...BLANK,
    kind: 'postback',
    id: row.id,
    at: row.created_at.toISOString(),
    title: row.event_type,
    state: row.status,
    note: row.error,
    by: row.direction,
  }))
}

interface ChangeRow {
  at: Date
  action: string
  before: Row | null
  after: Row | null
  by: string | null
  site_id: string | null
}

/** Fields that the server changes itself; the time line omits them. */
const AUTOMATIC_FIELDS = new Set([
  'version',
  'updated_at',
  'qualified_at',
  'qualification',
  'created_at',
  'id',
  'inner_id',
])
const OFFER_PARTNER_FIELDS = new Set([
  'offer',
  'partner',
  'stream',
  'traffic_source',
  'media_id',
  'attribution',
  'site_id',
  'sub_id',
])

/** Names of fields hidden from the caller, whose changes are hidden, too. */
const hiddenNames = (context: RequestContext): ReadonlySet<string> =>
  new Set([...fieldsOf(player)].flatMap(([name, field]) => (isVisible(context, field) ? [] : [name])))

async function readChanges({ postgres }: Services, id: number, hidden: ReadonlySet<string>): Promise<Entry[]> {
  const { rows } = await sql<ChangeRow>`select a.at, a.action, a.before, a.after, u.full_name as by,
      (select l.site_id from offer_partner l where l.id = (a.after ->> 'offer_partner')::int) as site_id
    from audit_log a left join "user" u on u.id = a.user_id
    where a.entity = 'player' and a.entity_id = ${id} order by a.at desc limit ${ENTRIES_CAP}`.execute(postgres.db)
  return rows.flatMap((row): Entry[] => {
    const base = { ...BLANK, at: row.at.toISOString(), by: row.by }
    if (row.before === null || row.after === null) return [{ ...base, kind: 'change', title: row.action }]
    const { before, after } = row
    const changed = Object.keys(after).filter(
      (name) =>
        !AUTOMATIC_FIELDS.has(name) &&
        !hidden.has(name) &&
        JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    )
    if (changed.includes('payment_resolution'))
      return [{ ...base, kind: 'resolution', state: text(after.payment_resolution) }]
    if (changed.includes('offer_partner')) return [{ ...base, kind: 'attribution', title: row.site_id }]
    const shown = changed.filter((name) => !OFFER_PARTNER_FIELDS.has(name))
    return shown.length === 0 ? [] : [{ ...base, kind: 'change', title: 'update', note: shown.join(',') }]
  })
}

async function describe({ postgres }: Services, row: Row, progress: PlayerProgress): Promise<Qualification> {
  const { rows } = await sql<{ kind: string; id: number; title: string }>`
    select 'currency' as kind, id, value as title from currency union all select 'country', id, title from country
    where id in (${progress.actualCountryId}, ${progress.offerCountryId})`.execute(postgres.db)
  const nameOf = (kind: string, id: number): string | null =>
    rows.find((found) => found.kind === kind && found.id === id)?.title ?? null
  const money = (units: bigint | null): string | null => (units === null ? null : formatMoney(units))
  return {
    state: progress.state,
    qualified_at: text(row.qualified_at),
    registered_day: progress.registeredDay,
    is_possible: progress.isPossible,
    today: progress.today,
    rules: progress.rules.map(({ rule, state, required, reached, currencyId, until, daysLeft }) => {
      const missing = required === null || reached === null ? null : required > reached ? required - reached : 0n
      const isCountry = rule === 'country'
      return {
        rule,
        state,
        required: isCountry ? nameOf('country', progress.offerCountryId) : money(required),
        reached: isCountry ? nameOf('country', progress.actualCountryId) : money(reached),
        missing: money(missing),
        currency: currencyId === null ? null : nameOf('currency', currencyId),
        until,
        days_left: daysLeft,
      }
    }),
  }
}
