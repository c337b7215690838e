// Search: one call finds records of every kind by a part of a name, an id or a code, forgives typing errors, and shows nothing foreign.

import { randomUUID } from 'node:crypto'
import { SEARCH_KINDS, type SearchAnswer } from '@tributary/contract/calls/search'
import { inOtherLayout } from '@tributary/contract/keyboard-layout'
import { beforeAll, expect, test } from 'vitest'
import type { InboxClick } from '../../src/facts/columns.ts'
import type { Server } from '../../src/server.ts'
import { timeOfClickId } from '../../src/tracker/clicks/click-id.ts'
import { done, ENTITY_MODULES } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { inboxClick } from '../support/inbox-click.ts'
import { loadClicks } from '../support/load-clicks.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { makeTwoSides, NARROW, type TwoSides } from '../support/two-sides.ts'

let server: Server
let admin: SignedIn
let sides: TwoSides
const START = '0190b2c5-'
const CLICK = '0190b2c4-0000-7000-8000-00000000abcd'

const clickOf = ({ partner = 0, offer = 0, offer_partner = 0 }: Readonly<Record<string, number>>): InboxClick => {
  const id = `${START}${partner.toString(16).padStart(4, '0')}-7000-8000-00000000beef`
  const network = { partner_id: partner, offer_id: offer, offer_partner_id: offer_partner, advertiser_id: 1 }
  const others = { country_id: 1, stream_id: 1, traffic_source_id: 1 }
  return inboxClick({ id, created_at: timeOfClickId(id) ?? 0, ...network, ...others })
}

const find = async (query: string, who = admin) =>
  (await done(who, 'GET', `search?query=${encodeURIComponent(query)}`)) as unknown as SearchAnswer
const titles = ({ groups }: SearchAnswer, kind: string) =>
  groups.find((group) => group.kind === kind)?.items.map(({ title }) => title) ?? []
const write = (text: string, values: unknown[]) => server.services.postgres.pool.query(text, values)

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  sides = await makeTwoSides(server, admin)
  const [own, foreign] = [sides.own.rows, sides.foreign.rows]
  await write(`update partner set title = 'Northwind Media' where id = $1`, [own.partner])
  await write(`update partner set title = 'Zephyr Group' where id = $1`, [foreign.partner])
  await write(`update offer set title = 'Casino Brazil CPA' where id = $1`, [own.offer])
  await write(`update offer set title = 'Poker Norway' where id = $1`, [foreign.offer])
  await write(
    `update offer_partner set site_id = 'nw-site-771', sub_id = 'Banner_9', promo_codes = '{SUMMER25,Winter}' where id = $1`,
    [own.offer_partner],
  )
  await write(`update offer_partner set site_id = 'zg-site-772', promo_codes = '{HIDDEN99}' where id = $1`, [
    foreign.offer_partner,
  ])
  const rename = 'update partner_stream set title = $2 where id = (select stream_id from offer_partner where id = $1)'
  await write(rename, [own.offer_partner, 'SEO reviews'])
  await write(rename, [foreign.offer_partner, 'SEO hidden'])
  await loadClicks(server.services, [clickOf(own), clickOf(foreign)], 'Europe/Kyiv')
  await write(`update player set outer_id = 'PL-880011', click_id = $2, partner_click_id = 'pc-5' where id = $1`, [
    own.player,
    CLICK,
  ])
  await write(`update player set outer_id = 'PL-880012' where id = $1`, [foreign.player])
})

test.each([
  ['a name', 'northwind', 'partner', 'Northwind Media'],
  ['words in another order', 'media northw', 'partner', 'Northwind Media'],
  ['a missing letter', 'nortwind', 'partner', 'Northwind Media'],
  ['letters in the wrong order', 'nrothwind', 'partner', 'Northwind Media'],
  ['the wrong keyboard layout', 'тщкерцштв', 'partner', 'Northwind Media'],
  ['an offer', 'casno brazil', 'offer', 'Casino Brazil CPA'],
  ['a site ID', 'site-771', 'offer_partner', 'nw-site-771'],
  ['a site ID with a typing error', 'nw-siet-771', 'offer_partner', 'nw-site-771'],
  ['a sub ID', 'banner_', 'offer_partner', 'nw-site-771'],
  ['a promo code with a typing error', 'sumer25', 'offer_partner', 'nw-site-771'],
  ['a promo code in any case', 'summer25', 'offer_partner', 'nw-site-771'],
  ['a partner and an offer together', 'brazil northwind', 'offer_partner', 'nw-site-771'],
  ['the name of a stream', 'seo reviews', 'offer_partner', 'nw-site-771'],
  ['a partner and a stream together', 'northwind reviews', 'offer_partner', 'nw-site-771'],
  ['the beginning of a player ID', 'pl-88001', 'player', 'PL-880011'],
  ['a click ID', CLICK, 'player', 'PL-880011'],
  ['a click ID of the partner', 'pc-5', 'player', 'PL-880011'],
])('%s finds the record [NAV-11]', async (_, query, kind, title) => {
  expect(titles(await find(query), kind)).toContain(title)
})

test('an id and the id in a tracking link find their record, and say which field matched [NAV-11]', async () => {
  const { offer_partner, player } = sides.own.rows
  const { rows } = await write('select uuid from offer_partner where id = $1', [offer_partner])
  const byLink = await find(`https://track.example/c/${rows[0].uuid}?sub=1`)
  expect(byLink.groups).toMatchObject([
    { kind: 'offer_partner', items: [{ id: offer_partner, matched: { field: 'uuid' } }] },
  ])
  const byId = await find(`#${player}`)
  expect(byId.groups.find(({ kind }) => kind === 'player')?.items).toContainEqual(
    expect.objectContaining({ id: player, matched: { field: 'id', value: String(player) } }),
  )
})

test('the exact name comes first, and the kind with the best result leads [NAV-11]', async () => {
  const plain = await done(admin, 'POST', 'partner', { title: 'Brazil' })
  expect((await find('brazil')).groups[0]).toMatchObject({
    kind: 'partner',
    items: [{ id: plain.id, title: 'Brazil' }],
  })
  await done(admin, 'PUT', `partner/${plain.id}`, { active: false })
  await done(admin, 'POST', 'partner', { title: 'Brazil Nuts' })
  const partners = (await find('braz')).groups.find(({ kind }) => kind === 'partner')?.items
  expect(partners?.map(({ title, active }) => [title, active])).toEqual([
    ['Brazil Nuts', true],
    ['Brazil', false],
  ])
})

test('a name that resembles the whole text leads names that only contain its words [NAV-11]', async () => {
  const { offer } = sides.own.rows
  await write(
    `update advertiser set title = 'Velvet Spin' where id = (select advertiser_id from offer where id = $1)`,
    [offer],
  )
  await write(`update offer set title = 'Velvet Spin Casino Germany CPA' where id = $1`, [offer])
  const { groups } = await find('velvt spin')
  expect(groups.map(({ kind, items }) => [kind, items[0]?.title]).slice(0, 2)).toEqual([
    ['advertiser', 'Velvet Spin'],
    ['offer', 'Velvet Spin Casino Germany CPA'],
  ])
  // Partner and offer both contain a word of the text: it counts once.
  await write(`update partner set title = 'SpinReview Group' where id = $1`, [sides.own.rows.partner])
  expect((await find('velvt spin')).groups[0]?.kind).toBe('advertiser')
  await write(`update partner set title = 'Northwind Media' where id = $1`, [sides.own.rows.partner])
  await write(`update offer set title = 'Casino Brazil CPA' where id = $1`, [offer])
})

test('people find their own rows and nothing of a foreign partner [NAV-11] [PERM-07]', async () => {
  for (const role of NARROW) {
    const who = sides.people.get(role)
    if (who === undefined) throw new Error(role)
    expect([role, titles(await find('nw-site-771', who), 'offer_partner')]).toEqual([role, ['nw-site-771']])
    const { foreign } = sides
    const foreignLink = (await write('select uuid from offer_partner where id = $1', [foreign.rows.offer_partner]))
      .rows[0]
    const ids = new Set(Object.entries(foreign.rows).map(([kind, id]) => `${kind} ${id}`))
    for (const query of [
      'zephyr',
      'zg-site-772',
      'zg-siet-772',
      'hidden99',
      'hiden99',
      'PL-880012',
      'zephyr norway',
      'seo hidden',
      foreignLink.uuid,
    ]) {
      const { groups } = await find(query, who)
      const shown = groups.flatMap(({ kind, items }) => items.map(({ id }) => `${kind} ${id}`))
      // Staff share the directory of offers.
      const hidden = shown.filter((key) => ids.has(key) && !(key.startsWith('offer ') && role !== 'PARTNER'))
      expect([role, query, hidden]).toEqual([role, query, []])
    }
    for (const [kind, id] of Object.entries(foreign.rows)) {
      if (!SEARCH_KINDS.some((known) => known === kind) || kind === 'offer') continue
      const { groups } = await find(`#${id}`, who)
      const same = groups.find((group) => group.kind === kind)?.items.some((item) => item.id === id) ?? false
      expect([role, kind, same]).toEqual([role, kind, false])
    }
  }
})

test('the first eight digits of a click ID find the clicks of that minute, within the rows of the caller [NAV-11] [PERM-07]', async () => {
  const [own, foreign] = [clickOf(sides.own.rows).id, clickOf(sides.foreign.rows).id]
  expect(titles(await find(START), 'click')).toEqual([own, foreign])
  expect(titles(await find(START.slice(0, -1).toUpperCase()), 'click')).toEqual([own, foreign])
  expect(titles(await find(foreign.slice(0, 20)), 'click')).toEqual([foreign])
  for (const copied of [foreign.slice(0, 20), foreign])
    expect(titles(await find(copied.replaceAll('-', '')), 'click')).toEqual([foreign])
  for (const shorterOrOther of [START.slice(0, 7), `${START}ffff`, '12345678', 'ffffffff-ffff'])
    expect([shorterOrOther, titles(await find(shorterOrOther), 'click')]).toEqual([shorterOrOther, []])
  for (const role of NARROW) {
    const who = sides.people.get(role)
    expect([role, titles(await find(START, who), 'click')]).toEqual([role, [own]])
  }
})

test('a single letter must begin a word of the name [NAV-11]', async () => {
  expect(titles(await find('n media'), 'partner')).toContain('Northwind Media')
  expect(titles(await find('r media'), 'partner')).not.toContain('Northwind Media')
})

test('kinds that a person may not open are not searched [NAV-11] [PERM-07]', async () => {
  const partner = sides.people.get('PARTNER')
  const { groups } = await find('northwind', partner)
  expect(groups.map(({ kind }) => kind)).not.toContain('partner')
  expect((await find('northwind', partner)).groups.map(({ kind }) => kind)).not.toContain('user')
})

test.each([
  '%',
  'a_b',
  "'",
  '\\',
  'a%b',
  '"',
  '<%',
  '((',
  '😀',
  'x'.repeat(255),
  '1 2 3 4 5 6 7 8 9',
  '#',
  randomUUID(),
])('the text %j is only a text [NAV-11]', async (query) => {
  expect((await find(query)).groups).toEqual([])
})

test.each([
  ['', 422],
  ['   ', 422],
  ['x'.repeat(256), 422],
  ['\0', 422],
])('the query %j is rejected by name [NAV-11]', async (query, status) => {
  expect((await admin.call('GET', `search?query=${encodeURIComponent(query)}`)).status).toBe(status)
})

test('a text of both layouts or of neither has no other layout [NAV-11]', () => {
  expect([inOtherLayout('тщкерцштв'), inOtherLayout('gfhnyth'), inOtherLayout('aя'), inOtherLayout('12-3')]).toEqual([
    'northwind',
    'партнер',
    null,
    null,
  ])
})
