// The sources of alerts that are not about budgets and missing spends: what each finds, for whom, and the list that it leads to.
import type { AlertName } from '@tributary/contract/alerts'
import type { Alert, AlertList } from '@tributary/contract/calls/alert'
import { addDays } from '@tributary/contract/period'
import { beforeAll, expect, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import {
  done,
  type Json,
  linkOf,
  makeNetwork,
  makeOffer,
  type Network,
  register,
  unique,
} from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { TODAY } from './spend-table-calls.ts'

let server: Server
let admin: SignedIn
let manager: SignedIn
let own: Network
let foreign: Network

const sql = (text: string, values: readonly unknown[] = []) => server.services.postgres.pool.query(text, [...values])

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  own = await makeNetwork(admin)
  foreign = await makeNetwork(admin)
  manager = await signIn(server, 'MANAGER')
  const permissions = [
    'dashboard',
    'players',
    'partners_view',
    'partners_edit',
    'manager_access',
    'cpa_payment_view',
    'cpa_payment_edit',
  ]
  await sql('update "user" set permissions = $2 where id = $1', [manager.id, [...permissions, 'partners_spend_view']])
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Group') })
  const member = await done(admin, 'POST', 'partner_partner_group', {
    partner: own.partner.id,
    partner_group: group.id,
  })
  await done(admin, 'PUT', `partner_partner_group/${member.id}`, { managers: [{ user: manager.id, is_main: true }] })
})

/** A partner offer of a stream and a traffic source of its own. */
async function openOffer(net: Network): Promise<Json> {
  const source = await done(admin, 'POST', 'traffic_source', { title: unique('Source') })
  const stream = await done(admin, 'POST', 'partner_stream', { partner: net.partner.id, title: unique('Stream') })
  return done(admin, 'POST', 'offer_partner', linkOf({ ...net, source, stream }, { state: 'approved' }))
}

async function readQueue(person: SignedIn): Promise<AlertList> {
  await sql('delete from alert_finding')
  return (await done(person, 'GET', 'alert')) as unknown as AlertList
}
const readKind = async (person: SignedIn, kind: AlertName): Promise<Alert[]> =>
  (await readQueue(person)).items.filter(({ alert }) => alert === kind)

/** The number of rows of the list that the address opens. */
async function countListed(person: SignedIn, entity: string, { address }: Alert): Promise<number> {
  const list = await done(person, 'GET', `${entity}?${address.split('?')[1]}`)
  return (list.pagination as { total: number }).total
}

test('what waits for approval is one alert a kind, with its number, and leads to the list of just that [SPD-05] [LIST-10] [PERM-07]', async () => {
  const before = Number((await readQueue(admin)).counts.unapproved_partner_offers ?? 0)
  await done(admin, 'PUT', `offer/${(await makeOffer(admin, own, { state: 'unapproved' })).id}`, { days: 3 })
  await makeOffer(admin, own, { state: 'unapproved' })
  const [offers] = await readKind(admin, 'unapproved_offers')
  expect(offers).toMatchObject({ count: 2, title: expect.stringMatching(/^Offer .+, Offer /) })
  expect(offers?.message).toMatch(/^Waiting: 2, the oldest since \d\d\.\d\d\.\d{4}$/)
  for (const net of [own, foreign]) await done(admin, 'POST', 'offer_partner', linkOf(net, { state: 'unapproved' }))
  const [all] = await readKind(admin, 'unapproved_partner_offers')
  const [seen] = await readKind(manager, 'unapproved_partner_offers')
  expect(all?.count).toBe(before + 2)
  expect(seen?.count).toBe(1)
  if (offers === undefined || all === undefined || seen === undefined) throw new Error('no alert')
  expect(await countListed(admin, 'offer', offers)).toBe(2)
  expect(await countListed(admin, 'offer_partner', all)).toBe(all.count)
  expect(await countListed(manager, 'offer_partner', seen)).toBe(1)
  // A manager approves no offers.
  expect(await readKind(manager, 'unapproved_offers')).toEqual([])
  const { total, counts } = await readQueue(admin)
  expect(counts.unapproved_offers).toBe(2)
  expect(total).toBe(Object.values(counts).reduce((sum, count) => sum + count, 0))
  // An admin's group filter narrows the queue like the list.
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Group') })
  const filter = { 'group-filter': String(group.id) }
  const countFiltered = async () =>
    ((await (await admin.call('GET', 'alert', undefined, filter)).json()) as AlertList).counts.unapproved_offers ?? 0
  expect(await countFiltered()).toBe(0)
  await sql(
    `insert into partner_group_offer (partner_group_id, offer_id)
      select $1, max(id) from offer where state = 'unapproved'`,
    [group.id],
  )
  await sql('delete from alert_finding')
  expect(await countFiltered()).toBe(1)
  // Inactive records wait for nobody.
  await sql(`update offer set active = false where state = 'unapproved'`)
  expect(await readKind(admin, 'unapproved_offers')).toEqual([])
})

test('a partner has an alert when holds of players without a resolution end soon, until their month is closed [SPD-05] [PLY-05] [PERM-07]', async () => {
  const link = await openOffer(own)
  const other = await openOffer(foreign)
  // Without a baseline a player qualifies on the day of registration.
  const days = [10, 7, 6].map((back) => addDays(TODAY, -back))
  const [first] = await Promise.all(days.map((day) => register(admin, own, link, day)))
  await register(admin, foreign, other, TODAY)
  // A player who is paid by revenue share needs no resolution, and is not in the list.
  const { rows: models } = await sql("select id from payment_model where type = 'RS' limit 1")
  const shared = await makeOffer(admin, own, { payment_model: models[0]?.id, cost: null, rs_share: '30' })
  const sharedLink = await openOffer({ ...own, offer: shared })
  await register(admin, own, sharedLink, addDays(TODAY, -8))
  await sql(
    'insert into partner_billing (partner_id, hold_days) values ($1, 10) on conflict (partner_id) do update set hold_days = 10',
    [own.partner.id],
  )
  const countQualified = async () => {
    const offers = [link.id, other.id, sharedLink.id]
    return (await sql('select from player where qualified_at is not null and offer_partner_id = any($1)', [offers]))
      .rowCount
  }
  await expect.poll(countQualified, { timeout: 20_000 }).toBe(5)
  const [due] = await readKind(manager, 'resolutions_due')
  expect(due).toMatchObject({ count: 2, title: own.partner.title, subject: String(own.partner.id) })
  expect(due?.message).toContain(`end of a hold: ${TODAY.split('-').reverse().join('.')}`)
  if (due === undefined) throw new Error('no alert')
  expect(await countListed(manager, 'player', due)).toBe(2)
  const titles = (await readKind(admin, 'resolutions_due')).map(({ title }) => title)
  expect(new Set(titles)).toEqual(new Set([own.partner.title, foreign.partner.title]))
  const resolve = { ids: [first?.id], exclusive: false, filter: '', payment_resolution: 'approved' }
  await done(admin, 'PUT', 'player/bulk_update', resolve)
  expect((await readKind(manager, 'resolutions_due'))[0]?.count).toBe(1)
  const close = await sql(
    'insert into period_close (month, closed_at, closed_by_id, known_at) values ($1, now(), $2, now()) returning id',
    [addDays(TODAY, -7).slice(0, 7), admin.id],
  )
  await sql(
    'insert into period_close_partner (period_close_id, month, partner_id) select $1, month, $2 from period_close where id = $1',
    [close.rows[0].id, own.partner.id],
  )
  expect(await readKind(manager, 'resolutions_due')).toEqual([])
  await sql('delete from period_close_partner where partner_id = $1', [own.partner.id])
})

test('a record is asked for its own alerts alone, which count for it alone [SPD-05] [PERM-07]', async () => {
  await sql('delete from alert_finding')
  const of = async (person: SignedIn, entity: string, id: number) =>
    (await done(person, 'GET', `alert?entity=${entity}&id=${id}`)) as unknown as AlertList
  const mine = await of(admin, 'partner', own.partner.id)
  const theirs = await of(admin, 'partner', foreign.partner.id)
  expect(mine.items.map(({ alert }) => alert)).toEqual(['resolutions_due'])
  expect(theirs.items.map(({ title }) => title)).toEqual([foreign.partner.title])
  expect(mine.total).toBe(mine.items.reduce((sum, { count }) => sum + count, 0))
  expect((await of(manager, 'partner', foreign.partner.id)).items).toEqual([])
  expect((await of(admin, 'offer', own.partner.id)).items).toEqual([])
})

test('a host to which many postbacks of the last day fail is an alert, for users who see one of its partners [SPD-05] [PERM-07]', async () => {
  const call = (host: string, status: string, net: Network, hours = 1) =>
    sql(
      `insert into postback (direction, status, step, method, url, partner_id, created_at)
        values ('out', $1, case when $1 = 'pending' then 1 else 0 end, 'GET', 'https://' || $2 || '/in', $3, now() - $4 * interval '1 hour')`,
      [status, host, net.partner.id, hours],
    )
  for (let at = 0; at < 5; at++) {
    await call('dead.test', at < 3 ? 'failed' : 'pending', own)
    await call('dead.test', 'sent', own)
    await call('foreign.test', 'failed', foreign)
    // A list of days contains all of yesterday.
    await call('earlier.test', 'failed', own, 50)
  }
  for (let at = 0; at < 4; at++) await call('rare.test', 'failed', own)
  const [host, ...others] = await readKind(manager, 'failing_host')
  expect(others).toEqual([])
  expect(host).toMatchObject({
    title: 'dead.test',
    count: 1,
    message: '3 of 10 postbacks failed in the last 24 hours; waiting for a retry: 2',
  })
  if (host === undefined) throw new Error('no alert')
  expect(await countListed(manager, 'postback', host)).toBe(9)
  expect((await readKind(admin, 'failing_host')).map(({ title }) => title).sort()).toEqual([
    'dead.test',
    'foreign.test',
  ])
})

test('spend sheets whose latest parse has warnings and recent player reports with warnings are alerts [SPD-05] [PLY-08] [PERM-07]', async () => {
  const month = `${TODAY.slice(0, 7)}-01`
  const parse = (net: Network, status: string, minutes: number, file = 'file') =>
    sql(
      `insert into google_parse_result (partner_id, file_id, spend_month, parsed_at, status, warnings, rows_taken)
        values ($1, $6, $2, now() - $3 * interval '1 minute', $4, $5, 0)`,
      [net.partner.id, month, minutes, status, JSON.stringify(status === 'warnings' ? [{}, {}] : []), file],
    )
  const assign = (net: Network, file: string) =>
    sql('update partner set spend_spreadsheet_id = $2 where id = $1', [net.partner.id, file])
  await assign(own, 'https://docs.google.com/spreadsheets/d/file/edit')
  await assign(foreign, 'file')
  await parse(own, 'success', 20)
  await parse(own, 'warnings', 10)
  await parse(foreign, 'warnings', 20)
  await parse(foreign, 'success', 10)
  const sheets = await readKind(manager, 'sheet_warnings')
  expect(sheets).toMatchObject([
    { title: expect.stringContaining(String(own.partner.title)), message: expect.stringMatching(/^Warnings: 2/) },
  ])
  const [sheet] = sheets
  if (sheet === undefined) throw new Error('no alert')
  expect(await countListed(manager, 'google_parse_result', sheet)).toBe(1)
  // A sheet that the partner had before is read no more: its warnings neither count nor stay.
  await parse(own, 'warnings', 5, 'earlier')
  expect(await readKind(manager, 'sheet_warnings')).toMatchObject([{ message: expect.stringMatching(/^Warnings: 2/) }])
  await parse(own, 'success', 1)
  expect(await readKind(manager, 'sheet_warnings')).toEqual([])
  await assign(own, 'earlier')
  expect(await readKind(manager, 'sheet_warnings')).toHaveLength(1)
  await sql('update partner set spend_spreadsheet_id = null where id = any($1)', [[own.partner.id, foreign.partner.id]])

  await sql(`insert into report (type, file_name, status, warnings, created_at) values
    ('file', 'june.xlsx', 'warnings', 4, now()), ('file', 'may.xlsx', 'success', 0, now()), ('file', 'old.xlsx', 'failed', 0, now() - interval '9 days')`)
  const reports = await readKind(admin, 'player_report_warnings')
  expect(reports).toMatchObject([
    {
      title: 'june.xlsx',
      message: expect.stringMatching(/^Status: With warnings, on \S+\. Warnings: 4$/),
      address: expect.stringMatching(/^\/players-reports\?import=\d+$/),
    },
  ])
  expect(await readKind(manager, 'player_report_warnings')).toEqual([])
})

test('a partner offer with clicks on most days and none since yesterday is silent, unless it is switched off [SPD-05] [PERM-07]', async () => {
  const { clickhouse } = server.services
  const links: Json[] = []
  for (const net of [own, own, foreign]) links.push(await openOffer(net))
  const [quiet, busy, theirs] = links.map(({ id }) => id)
  const click = (id: number | undefined, net: Network, from: number, to: number) =>
    clickhouse.exec(
      `insert into click (id, day, created_at, offer_partner_id, partner_id, is_click)
        select generateUUIDv4(), toDate('${TODAY}') - toUInt32(number % ${to - from + 1}) - ${from}, now64(3), ${id}, ${net.partner.id}, 1
        from numbers(70)`,
    )
  expect(await readKind(admin, 'silent_partner_offer')).toEqual([])
  await click(quiet, own, 2, 8)
  // Without any click since yesterday, facts lag behind.
  expect(await readKind(admin, 'silent_partner_offer')).toEqual([])
  await click(busy, own, 0, 8)
  await click(theirs, foreign, 2, 8)
  const last = addDays(TODAY, -2).split('-').reverse().join('.')
  expect(await readKind(manager, 'silent_partner_offer')).toMatchObject([
    {
      subject: String(quiet),
      message: `No clicks since ${last}; 10 a day before`,
      address: `/offer-partners/${quiet}`,
    },
  ])
  expect(await readKind(admin, 'silent_partner_offer')).toHaveLength(2)
  await done(admin, 'PUT', `offer_partner/${quiet}`, { active: false })
  expect(await readKind(manager, 'silent_partner_offer')).toEqual([])
})
