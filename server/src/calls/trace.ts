// The handler that traces one click or player. It omits rows outside the caller's scope and hidden fields.
import type { Calls } from '@tributary/contract/calls/registry'
import type { ListQuery } from '@tributary/contract/list-query'
import { dayOf } from '@tributary/contract/period'
import { sql } from 'kysely'
import { readClickhouse } from '../entities/engine/clickhouse/list.ts'
import { entityNamed, fieldsOf, type Row } from '../entities/engine/model/model.ts'
import { isVisible, mayView, type RequestContext, readBusinessZone } from '../entities/engine/model/request-context.ts'
import { listEntity } from '../entities/engine/store.ts'
import { readDeletedMonths } from '../facts/clicks/deleted-clicks.ts'
import { AppError } from '../lib/app-error.ts'
import type { Services } from '../services.ts'
import { isUuid, timeOfClickId } from '../tracker/clicks/click-id.ts'
import { judge, type TracedOut, type TracedStory } from '../tracker/postbacks/trace-verdict.ts'
import type { Answer, Handler } from './handler.ts'
import { listEntries, type TraceData, type TracedAttempt, type TracedEvent, textOf, timeOf } from './trace-entries.ts'

const click = entityNamed('click')
const player = entityNamed('player')
const postback = entityNamed('postback')
const MATCHES_CAP = 50
const POSTBACKS_CAP = 300
/** Fields of a click for callers without access to clicks. */
const CLICK_BRIEF = new Set([
  ...['id', 'created_at', 'offer', 'partner', 'stream', 'offer_partner', 'landing', 'traffic_source', 'site_id'],
  ...['sub_id', 'sub2', 'sub3', 'sub4', 'sub5', 'partner_click_id', 'canonical_id', 'uniqueness', 'bot', 'country'],
])

export const readTrace: Handler<Calls['trace']> = async ({ query, context }, services) => {
  const players = await findPlayers(context, services, query.id)
  const chosen = query.player === undefined ? null : (players.find((row) => row.id === Number(query.player)) ?? null)
  if (query.player !== undefined && chosen === null) throw new AppError('not_found')
  if (chosen === null && players.length > 1) {
    return { click: null, player: null, matches: players.map(asMatch), entries: [], verdicts: [] }
  }
  return collectTrace(context, services, query.id, chosen ?? players[0] ?? null)
}

const asMatch = (row: Row): Answer<Calls['trace']>['matches'][number] => ({
  id: Number(row.id),
  title: String(row.outer_id ?? row.id),
  registered_at: textOf(row.registered_at),
})

async function listByIds(context: RequestContext, entity: typeof player, ids: readonly number[]): Promise<Row[]> {
  if (ids.length === 0) return []
  const conditions = [{ path: 'id', operator: 'in', values: ids.map(String) }] as const
  const query: ListQuery = { page: 1, limit: 500, query: '', conditions, order: [{ path: 'id', desc: false }] }
  return (await listEntity(context, entity, query, { detailed: false })).items
}

async function findPlayers(context: RequestContext, { postgres }: Services, text: string): Promise<Row[]> {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0
  const uuid = isUuid(text) ? text : null
  const { rows } = await sql<{ id: number }>`select id from (
      select id from player where outer_id = ${text} or partner_click_id = ${text} or lower(promocode) = lower(${text})
        or id = ${number} or click_id = ${uuid}::uuid
      union select player_id from player_event where transaction_id = ${text}) found
    order by id desc limit ${MATCHES_CAP}`.execute(postgres.db)
  return listByIds(
    context,
    player,
    rows.map((row) => row.id),
  )
}

async function collectTrace(
  context: RequestContext,
  services: Services,
  text: string,
  of: Row | null,
): Promise<Answer<Calls['trace']>> {
  const clickId = typeof of?.click_id === 'string' ? of.click_id : isUuid(text) ? text.toLowerCase() : null
  const [clickRow, postbacks] = await Promise.all([
    clickId === null ? null : findClick(context, services, clickId),
    findPostbacks(context, services, text, of, clickId),
  ])
  const isClickDeleted = clickRow === null && clickId !== null && (await isDeletedClick(services, clickId))
  if (of === null && clickRow === null && postbacks.length === 0 && !isClickDeleted) throw new AppError('not_found')
  const outIds = postbacks.filter((row) => row.direction === 'out').map((row) => Number(row.id))
  const playerId = of === null ? 0 : Number(of.id)
  const partnerId = of === null ? 0 : idOf(of.partner)
  const [attempts, events, urls, changes, businessZone] = await Promise.all([
    findAttempts(services, outIds),
    findEvents(services, playerId),
    findUrls(services, partnerId),
    context.holder.role === 'PARTNER' ? [] : findChanges(context, services, playerId),
    readBusinessZone(services.postgres.db),
  ])
  const story: TraceData = { click: clickRow, player: of, postbacks, attempts, events, urls, changes, businessZone }
  return {
    click: clickRow,
    player: of,
    matches: [],
    entries: listEntries(story),
    verdicts: judge({ ...toTracedStory(story), isClickDeleted }),
  }
}

const idOf = (reference: unknown): number =>
  typeof reference === 'object' && reference !== null && 'id' in reference ? Number(reference.id) : 0

function toTracedStory({
  click: of,
  player: row,
  postbacks,
  attempts,
  urls,
}: TraceData): Omit<TracedStory, 'isClickDeleted'> {
  const outs = postbacks.filter(({ direction }) => direction === 'out')
  return {
    click: of === null ? null : { isBot: of.bot === true, canonicalId: textOf(of.canonical_id) },
    player:
      row === null
        ? null
        : {
            isAttributed: row.attribution !== 'none',
            registeredAt: textOf(row.registered_at),
            firstDepositAt: textOf(row.first_deposit_at),
            qualifiedAt: textOf(row.qualified_at),
            qualification: String(row.qualification),
          },
    rejected: postbacks
      .filter(({ status }) => status === 'refused')
      .map(({ reason, created_at }) => ({ reason: textOf(reason), at: timeOf(created_at) })),
    outs: outs.map((out): TracedOut => {
      const last = attempts.filter(({ postback_id }) => postback_id === out.id).at(-1)
      return {
        event: String(out.event_type),
        status: String(out.status),
        reason: textOf(out.reason),
        at: last?.at ?? timeOf(out.created_at),
        nextAt: textOf(out.next_attempt_at),
        attempts: Number(out.attempts),
      }
    }),
    urls: urls.map(({ at }) => at),
  }
}

/** The id tells when the click was. */
async function isDeletedClick({ postgres }: Services, id: string): Promise<boolean> {
  const at = timeOfClickId(id)
  if (at === undefined) return false
  const month = dayOf(at, await readBusinessZone(postgres.db))
    .slice(0, 7)
    .replace('-', '')
  return (await readDeletedMonths(postgres)).some((one) => one.isDropped && one.month === month)
}

/** Finds a click in ClickHouse, or in the inbox before hand-over. Null if it is absent or out of scope. */
export async function findClick(context: RequestContext, services: Services, id: string): Promise<Row | null> {
  try {
    const row = await readClickhouse(context, click, id)
    if (mayView(context, click)) return row
    return Object.fromEntries(Object.entries(row).filter(([name]) => CLICK_BRIEF.has(name)))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
  }
  const { rows } = await sql<{
    id: string
    created_at: Date
    partner_id: number
    bot: boolean
    canonical_id: string | null
  }>`
    select id, created_at, partner_id, bot, canonical_id from ${sql.raw(INBOX)} where id = ${id}::uuid`.execute(
    services.postgres.db,
  )
  const fresh = rows[0]
  if (fresh === undefined || (context.partners !== null && !context.partners.includes(fresh.partner_id))) return null
  const { bot, canonical_id } = fresh
  return { id: fresh.id, created_at: fresh.created_at.toISOString(), bot, canonical_id }
}

const INBOX = 'click_inbox_row'

async function findPostbacks(
  context: RequestContext,
  { postgres }: Services,
  text: string,
  of: Row | null,
  clickId: string | null,
): Promise<Row[]> {
  // Rejected postbacks name the player only by the advertiser's id.
  const byPlayer =
    of === null
      ? sql`false`
      : sql`player_id = ${Number(of.id)} or (player_id is null and player_outer_id = ${textOf(of.outer_id)}
        and advertiser_id = (select advertiser_id from player where id = ${Number(of.id)}))`
  const byText = of === null ? sql`player_outer_id = ${text} or click_id = ${text}` : sql`false`
  const { rows } = await sql<{ id: number }>`select id from postback
    where ${byPlayer} or ${byText} or click_id = ${clickId} order by id desc limit ${POSTBACKS_CAP}`.execute(
    postgres.db,
  )
  return listByIds(
    context,
    postback,
    rows.map((row) => row.id),
  )
}

const ISO = (column: string) => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`)

async function findAttempts({ postgres }: Services, ids: readonly number[]): Promise<TracedAttempt[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<TracedAttempt>`select postback_id, number, ${ISO('at')}, method, url, code, error
    from postback_attempt where postback_id = any(${ids}::bigint[]) order by postback_id, number`.execute(postgres.db)
  return rows
}

async function findEvents({ postgres }: Services, playerId: number): Promise<TracedEvent[]> {
  const { rows } =
    await sql<TracedEvent>`select e.type, ${ISO('e.happened_at')}, e.amount, c.value as currency, e.transaction_id
    from player_event e left join currency c on c.id = e.currency_id
    where e.player_id = ${playerId} order by e.happened_at desc limit 500`.execute(postgres.db)
  return rows
}

async function findUrls({ postgres }: Services, partnerId: number): Promise<TraceData['urls']> {
  const { rows } = await sql<{ at: string; url: string }>`select ${ISO('created_at')}, url from partner_postback_url
    where partner_id = ${partnerId} and active order by created_at`.execute(postgres.db)
  return rows
}

const TRACED_FIELDS = new Set(['payment_resolution', 'attribution', 'offer_partner'])

/** Changes of the player in the audit log. */
async function findChanges(
  context: RequestContext,
  { postgres }: Services,
  playerId: number,
): Promise<TraceData['changes']> {
  const visibleNames = [...fieldsOf(player)].flatMap(([name, field]) =>
    TRACED_FIELDS.has(name) && isVisible(context, field) ? [name] : [],
  )
  const { rows } = await sql<TraceData['changes'][number]>`select ${ISO('a.at')}, u.full_name as by,
      (select string_agg(k || ': ' || coalesce(a.before ->> k, '–') || ' → ' || coalesce(a.after ->> k, '–'), '; ')
        from unnest(${visibleNames}::text[]) k
        where a.before ->> k is distinct from a.after ->> k) as text
    from audit_log a left join "user" u on u.id = a.user_id
    where a.entity = 'player' and a.entity_id = ${playerId} order by a.id desc limit 100`.execute(postgres.db)
  return rows.filter(({ text }) => text !== null)
}
