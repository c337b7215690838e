// Handlers that test partner offers and postbacks. They run the real code and store nothing.
import type { Calls } from '@tributary/contract/calls/registry'
import { buildPostbackUrl, buildTrackingLink, findUnknownMacros, parseTemplate } from '@tributary/contract/macros'
import { sql, type Transaction } from 'kysely'
import { entityNamed, type Row, readRowId } from '../entities/engine/model/model.ts'
import { readEntity } from '../entities/engine/store.ts'
import type { InboxClick } from '../facts/columns.ts'
import { AppError } from '../lib/app-error.ts'
import type { Database } from '../postgres/client.ts'
import type { Services } from '../services.ts'
import { createClickFinder } from '../tracker/clicks/recorded-clicks.ts'
import { fillForTest, followHops, testVisit } from '../tracker/links/test-visit.ts'
import { applyPostbacks } from '../tracker/postbacks/inbound-postbacks.ts'
import { callPartner, signingKey } from '../tracker/postbacks/partner-client.ts'
import { beginPostbacks } from '../tracker/postbacks/postback-store.ts'
import type { Answer, Handler } from './handler.ts'

const offerPartner = entityNamed('offer_partner')
const BRIEF = { detailed: false }
const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

export const testTrackingLink: Handler<Calls['offer_partner_test_link']> = async (
  { params, body, ip, context },
  services,
) => {
  const { config, postgres } = services
  const offerPartnerId = readRowId(params.id)
  const row = await readEntity(context, offerPartner, offerPartnerId, BRIEF)
  const userAgent = body.user_agent ?? BROWSER
  const visit = { offerPartnerId, params: body.params ?? {}, ip: body.ip ?? ip, userAgent }
  const tested = await testVisit(postgres.pool, visit, config.geoipDbPath)
  if (tested === undefined) throw new AppError('not_found')
  const { status, reason, click, filled, missing } = tested
  const target = click?.target ?? null
  const query = new URLSearchParams(body.params ?? {}).toString()
  const base =
    typeof row.partner_link === 'string'
      ? row.partner_link
      : buildTrackingLink({ uuid: tested.offerPartner.uuid, trackerUrl: config.trackerUrl })
  return {
    status,
    reason,
    partner_link: query === '' ? base : `${base}?${query}`,
    target,
    click: click === null ? null : asFields(click),
    filled,
    missing,
    hops: target !== null && body.follow ? await followHops(target, config.allowPrivateTargets, userAgent) : [],
  }
}

/** Renames `<name>_id` to `<name>: {id}`, as in the list of clicks. */
function asFields(click: InboxClick): Row {
  const entries = Object.entries(click).map(([name, value]) =>
    name.endsWith('_id') && typeof value === 'number' ? [name.slice(0, -3), { id: value }] : [name, value],
  )
  return Object.fromEntries(entries)
}

/** Thrown to roll back a transaction after its result is read. */
class RollbackSignal extends Error {
  override readonly name = 'RollbackSignal'
}

type TestedEvent = Answer<Calls['offer_partner_test_event']>

export const testEvent: Handler<Calls['offer_partner_test_event']> = async (
  { params, body, ip, context },
  services,
) => {
  const { config, postgres } = services
  const offerPartnerId = readRowId(params.id)
  await readEntity(context, offerPartner, offerPartnerId, BRIEF)
  const uuid = await findMainUuid(services, offerPartnerId)
  const query = new URLSearchParams(body.params).toString()
  const url = `${buildPostbackUrl({ uuid, trackerUrl: config.trackerUrl }).split('?')[0]}?${query}`
  const request = { method: 'GET', url, uuid, senderIp: ip, params: body.params, receivedAt: Date.now() }
  let tested: TestedEvent | undefined
  try {
    await postgres.withTransaction(async (trx) => {
      const [before = 0] = await beginPostbacks(trx, 1)
      const [applied] = await applyPostbacks(trx, [{ request }], createClickFinder(services.clickhouse))
      if (applied !== undefined) tested = await readTraces(trx, before, url, applied.answer)
      throw new RollbackSignal()
    })
  } catch (error) {
    if (!(error instanceof RollbackSignal)) throw error
  }
  if (tested === undefined) throw new AppError('not_found')
  return tested
}

async function findMainUuid({ postgres }: Services, offerPartnerId: number): Promise<string> {
  const { rows } = await sql<{ uuid: string }>`select uuid from offer_partner_postback
    where offer_partner_id = ${offerPartnerId} order by active desc, kind = 'main' desc, id limit 1`.execute(
    postgres.db,
  )
  if (rows[0] === undefined) throw new AppError('not_found')
  return rows[0].uuid
}

interface PostbackTrace {
  direction: 'in' | 'out'
  event_type: string | null
  method: string
  url: string | null
  status: string
  reason: string | null
  attribution: string | null
}

/** Reads the postbacks that the transaction has written, before it is rolled back. */
async function readTraces(
  trx: Transaction<Database>,
  before: number,
  url: string,
  answer: { status: number; body: object },
): Promise<TestedEvent> {
  const { rows } =
    await sql<PostbackTrace>`select p.direction, p.event_type, p.method, p.url, p.status, p.reason, a.attribution
    from postback p left join player a on a.id = p.player_id
    where p.id > ${before} and p.xmin = pg_current_xact_id()::xid order by p.id`.execute(trx)
  const arrival = rows.find((row) => row.direction === 'in')
  return {
    status: answer.status,
    body: { ...answer.body },
    reason: arrival?.reason ?? null,
    url,
    attribution: arrival?.attribution ?? null,
    calls: rows
      .filter((row) => row.direction === 'out')
      .map(({ event_type, method, url: called, status, reason }) => ({
        event: event_type ?? '',
        method,
        url: called,
        status,
        reason,
      })),
  }
}

const SAMPLE = {
  click_id: 'test-click',
  partner_click_id: 'test-click',
  sub_id: 'test-sub',
  sub2: 'test-sub2',
  sub3: 'test-sub3',
  sub4: 'test-sub4',
  sub5: 'test-sub5',
  site_id: 'test-site',
  stream: 'test-stream',
  promocode: 'TEST',
  landing: 'test',
  country: 'UA',
  geo: 'UA',
  media_id: '1',
  player_id: 'test-player',
  sum: '25.00',
  currency: 'EUR',
  uuid: '00000000-0000-4000-8000-000000000000',
}

export const testPostback: Handler<Calls['partner_test_postback']> = async (
  { params, body, requestId, context },
  services,
) => {
  const { config } = services
  const partnerId = readRowId(params.id)
  await readEntity(context, entityNamed('partner'), partnerId, BRIEF)
  const unknown = findUnknownMacros(body.url)
  if (unknown.length > 0) {
    throw new AppError('invalid', {
      issues: { url: [{ key: 'unknown_macro', values: { names: unknown.join(', ') } }] },
    })
  }
  if (!URL.canParse(body.url)) throw new AppError('invalid', { issues: { url: [{ key: 'url_invalid' }] } })
  const key = await findKey(services, partnerId, body.partner_postback_url)
  const event = body.event ?? 'reg'
  const values = { ...SAMPLE, event, date: new Date().toISOString(), ...body.values }
  const { url, filled, missing } = fillForTest(parseTemplate(body.url), values)
  const began = performance.now()
  const result = await callPartner({
    url,
    method: body.method,
    idempotencyKey: `test-${requestId}`,
    signingKey: key,
    allowsPrivateTargets: config.allowPrivateTargets,
  })
  return { url, ...result, duration_ms: Math.round(performance.now() - began), filled, missing }
}

async function findKey(
  { postgres, config }: Services,
  partnerId: number,
  urlId: number | undefined,
): Promise<string | undefined> {
  if (urlId === undefined) return undefined
  const { rows } = await sql`select from partner_postback_url
    where id = ${urlId} and partner_id = ${partnerId} and signed`.execute(postgres.db)
  return rows.length === 0 ? undefined : signingKey(config.secret, urlId)
}
