// Two partners with everything that belongs to each, and people who see only the first one: what tests of own and foreign rows begin with.

import type { RoleKind } from '@tributary/contract/access'
import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import type { Server } from '../../src/server.ts'
import { completeNetwork, done, type Json, linkOf, type Network, unique } from './entity-calls.ts'
import { entityOf, makeBody, makePool, type Pool } from './entity-rows.ts'
import { makePerson, type SignedIn, signIn } from './sign-in.ts'

export const NARROW: readonly RoleKind[] = ['TEAM_LEADER', 'MANAGER', 'PARTNER']
/** What rows are made of here; clicks have a test of their own. */
export const SCOPED = ENTITY_NAMES.filter(
  (name) => !['everyone', 'all_partners', 'own'].includes(entityOf(name).scope.by) && name !== 'click',
)

/** Whether someone who sees one side only, an admin by the group filter, sees the other side's row too: directories that staff share. */
export function seesForeign(role: RoleKind, name: string): boolean {
  const { scope } = entityOf(name)
  if (scope.by === 'through') return seesForeign(role, scope.entity)
  if (role === 'ADMIN') return scope.by === 'group' || (scope.by === 'linked' && scope.groups === undefined)
  return scope.by === 'linked' && role !== 'PARTNER'
}

/** What no request makes: $1 is the partner, $2 the advertiser. */
export const INSERTS: Readonly<Record<string, string>> = {
  player: 'insert into player (partner_id, advertiser_id, outer_id) values ($1, $2, gen_random_uuid()) returning id',
  postback: `insert into postback (partner_id, advertiser_id, direction, status, method)
    values ($1, $2, 'in', 'accepted', 'GET') returning id`,
  click_rejection: `insert into click_rejection (partner_id, reason, url, ip, created_at)
    select $1, 'offer_inactive', '/c/' || $2::int, '203.0.113.7', now() returning id`,
  partner_billing: `insert into partner_billing (partner_id, legal_name) select $1, 'Company ' || $2::int returning id`,
  statement: `with s as (insert into statement (partner_id, month, currency_id, approved_at, state)
      select $1, '2025-03', min(id), now(), 'approved' from currency where $2::int > 0 returning id),
      pdf as (insert into statement_pdf (statement_id, language, bytes, sha256) select id, 'en', 'x', 'x' from s)
    select id from s`,
  payment_invoice: `insert into payment_invoice (date_from, date_to, partner_id, advertiser_id, currency_id, approved_at, status)
    select '2025-03-01', '2025-03-31', $1, $2, min(id), now(), 'approved' from currency returning id`,
  payment_invoice_line: `with s as (insert into statement (partner_id, month, currency_id, approved_at, state)
      select $1, '2025-04', min(id), now(), 'approved' from currency where $2::int > 0 returning id, currency_id)
    insert into payment_invoice_line (statement_id, kind, amount, currency_id, fx_rate, total)
      select id, 'fee', 1, currency_id, 1, 1 from s returning id`,
  payment: `with s as (insert into statement (partner_id, month, currency_id, approved_at, state, total)
      select $1, '2025-05', min(id), now(), 'approved', 9 from currency where $2::int > 0 returning id, currency_id)
    insert into payment (statement_id, partner_id, paid_at, amount, currency_id) select id, $1, now(), 9, currency_id from s returning id`,
  crm_attempt: `with i as (insert into payment_invoice (date_from, date_to, partner_id, advertiser_id, currency_id, approved_at)
      select '2025-03-01', '2025-03-31', $1, $2, min(id), now() from currency returning id)
    insert into crm_attempt (payment_invoice_id, crm_key, method, duration_ms) select id, gen_random_uuid(), 'POST', 1 from i returning id`,
  google_parse_result: `insert into google_parse_result (partner_id, status, file_id)
    select $1, 'success', 'sheet of ' || $2::int returning id`,
  ledger_entry: `insert into ledger_entry (partner_id, earned_month, booked_month, offer_partner_id, stream_id, advertiser_id, kind, currency_id,
      amount, source, known_at)
    select $1, '2026-04', '2026-04', id, stream_id, $2, 'rs', currency_id, 2.5, 'close', now() from offer_partner
    where partner_id = $1 order by id limit 1 returning id`,
  ledger_item: `insert into ledger_item (ledger_entry_id, day, base, rate, amount)
    select id, '2026-04-01', 10, 25, 2.5 from ledger_entry where partner_id = $1 and advertiser_id = $2 returning id`,
  period_close_partner: `with close as (
      insert into period_close (month, closed_at, closed_by_id, known_at, reopened_at)
      select '2025-01', now(), min(id), now(), now() from "user" where $2::int > 0 returning id, month)
    insert into period_close_partner (period_close_id, month, partner_id, reopened_at)
      select id, month, $1, now() from close returning id`,
}

export interface Side {
  readonly pool: Pool & { readonly net: Network }
  readonly group: Json
  readonly member: Json
  /** One row of each scoped entity. */
  readonly rows: Readonly<Record<string, number>>
}

export interface TwoSides {
  readonly own: Side
  readonly foreign: Side
  /** Whoever leads the group of the own side, manages its partner, or is the partner's user. */
  readonly people: ReadonlyMap<RoleKind, SignedIn>
}

export async function makeTwoSides(server: Server, admin: SignedIn): Promise<TwoSides> {
  await makePerson(server, 'MANAGER')
  const own = await makeSide(server, admin)
  const foreign = await makeSide(server, admin)
  const people = new Map<RoleKind, SignedIn>()
  for (const role of NARROW)
    people.set(role, await signIn(server, role, role === 'PARTNER' ? own.pool.net.partner.id : null))
  await done(admin, 'PUT', `partner_group/${own.group.id}`, { team_leaders: [people.get('TEAM_LEADER')?.id] })
  await done(admin, 'PUT', `partner_partner_group/${own.member.id}`, {
    managers: [{ user: people.get('MANAGER')?.id, is_main: true }],
  })
  return { own, foreign, people }
}

async function makeSide(server: Server, admin: SignedIn): Promise<Side> {
  const made = makePool(admin)
  const pool = { ...made, net: await completeNetwork(made.make) }
  const partner = pool.net.partner.id
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Group') })
  const member = await done(admin, 'POST', 'partner_partner_group', { partner, partner_group: group.id })
  const product = await done(admin, 'POST', 'product', { title: unique('Product') })
  await done(admin, 'PUT', `offer/${pool.net.offer.id}`, { product: product.id })
  const link = await done(admin, 'POST', 'offer_partner', linkOf(pool.net, { landings: [pool.net.landing.id] }))
  Object.assign(pool.known, { offer_partner: link.id, partner_partner_group: member.id, partner_group: group.id })
  const rows: Record<string, number> = {
    offer: pool.net.offer.id,
    partner,
    offer_partner: link.id,
    partner_partner_group: member.id,
    partner_group: group.id,
    landing: pool.net.landing.id,
    product: product.id,
    traffic_source: pool.net.source.id,
  }
  for (const name of SCOPED) {
    const insert = INSERTS[name]
    if (insert !== undefined)
      rows[name] = (await server.services.postgres.pool.query(insert, [partner, pool.net.advertiser.id])).rows[0].id
    else rows[name] ??= (await done(admin, 'POST', name, await makeBody(pool, name))).id
  }
  return { pool, group, member, rows }
}
