// The list of clicks from ClickHouse: the same wire as every list, equal to a plain walk over the written clicks.

import type { Condition, ListQuery } from '@tributary/contract/list-query'
import { paginate, writeListQuery } from '@tributary/contract/list-query'
import { DEFAULT_ZONE, dayOf } from '@tributary/contract/period'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import {
  ask,
  done,
  ENTITY_MODULES,
  idsOf,
  type Json,
  linkOf,
  makeNetwork,
  type Network,
  refused,
} from '../support/entity-calls.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

interface Click {
  id: string
  created_at: string
  side: number
  site_id: string
  uniqueness: string | null
  bot: boolean
  ip_country: string | null
  canonical_id: string | null
}

let server: Server
let admin: SignedIn
const nets: Network[] = []
const links: Json[] = []
const clicks: Click[] = []

const COLUMNS = [
  'id',
  'day',
  'created_at',
  'offer_partner_id',
  'offer_id',
  'partner_id',
  'advertiser_id',
  'landing_id',
  'stream_id',
  'traffic_source_id',
  'country_id',
  'bot',
  'is_click',
  'is_unique',
  'canonical_id',
  'site_id',
  'ip',
  'ip_country',
  'url',
  'target',
  'language',
]
const ZERO = '00000000-0000-0000-0000-000000000000'

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES, env: { TRACKER_URL: 'https://go.test' } })
  admin = await signIn(server, 'ADMIN')
  for (const index of [0, 1]) {
    const net = await makeNetwork(admin)
    if (index === 1)
      await done(admin, 'PUT', `country/${net.country.id}`, { partner_links_domain: 'https://land.example' })
    nets.push(net)
    links.push(await done(admin, 'POST', 'offer_partner', linkOf(net)))
  }
  for (let index = 0; index < 60; index++) clicks.push(makeClick(index))
  await server.services.clickhouse.insert('click', COLUMNS, clicks.map(toRow))
})

/** Around midnights of the business zone, several in one millisecond. */
function makeClick(index: number): Click {
  const start = Date.parse('2026-03-28T21:59:58.000Z')
  const time = start + Math.floor(index / 3) * 7_200_000 + (index % 2)
  const hex = time.toString(16).padStart(12, '0')
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${index.toString(16).padStart(12, '0')}`
  const bot = index % 7 === 0
  const isUnique = !bot && index % 3 !== 0
  const first = clicks[0]?.id ?? null
  return {
    id,
    created_at: new Date(time).toISOString(),
    side: index % 2,
    site_id: index % 5 === 0 ? '' : `Site-${index % 4}`,
    uniqueness: bot ? null : isUnique ? 'unique' : 'duplicate',
    bot,
    ip_country: index % 4 === 0 ? null : (['UA', 'PL', 'DE'][index % 3] ?? null),
    canonical_id: isUnique || bot ? null : first,
  }
}

function toRow(click: Click): unknown[] {
  const net = nets[click.side]
  const link = links[click.side]
  if (net === undefined || link === undefined) throw new Error('no network')
  const time = click.created_at.slice(0, 23).replace('T', ' ')
  const day = dayOf(Date.parse(click.created_at), DEFAULT_ZONE)
  return [
    click.id,
    day,
    time,
    link.id,
    net.offer.id,
    net.partner.id,
    net.advertiser.id,
    click.side === 0 ? net.landing.id : 0,
    net.stream.id,
    net.source.id,
    net.country.id,
    click.bot ? 1 : 0,
    click.bot ? 0 : 1,
    click.uniqueness === 'unique' ? 1 : 0,
    click.canonical_id ?? ZERO,
    click.site_id,
    '10.0.0.1',
    click.ip_country ?? '',
    `/c/${String(link.uuid)}?sub2=x${click.side === 1 ? '&GCLID=Cj0K' : ''}`,
    'https://brand.test/?click_id=1',
    'uk',
  ]
}

test('a click has all of its fields, with titles from PostgreSQL and both of its links [TRK-13] [API-03]', async () => {
  const [click] = clicks.filter(({ side }) => side === 1)
  const [, net] = nets
  const row = await done(admin, 'GET', `click/${click?.id}`)
  expect(row).toMatchObject({
    id: click?.id,
    created_at: click?.created_at,
    offer: { id: net?.offer.id, title: net?.offer.title },
    partner: { id: net?.partner.id, title: net?.partner.title },
    advertiser: { title: net?.advertiser.title },
    stream: { title: 'Main' },
    country: { title: net?.country.title, code: net?.country.code },
    landing: null,
    bot: false,
    sub_id: null,
    language: 'uk',
    ad_platform: 'Google Ads',
    offer_partner_uuid: links[1]?.uuid,
    links: {
      partner: `https://land.example/c/${String(links[1]?.uuid)}?sub2=x&GCLID=Cj0K`,
      advertiser: 'https://brand.test/?click_id=1',
    },
  })
  expect((await ask(admin, 'GET', `click/${ZERO}`)).status).toBe(404)
  expect((await ask(admin, 'GET', 'click/7')).status).toBe(404)
})

const values: Record<string, (click: Click) => string | null> = {
  id: ({ id }) => id,
  partner: ({ side }) => String(nets[side]?.partner.id),
  'offer.advertiser': ({ side }) => String(nets[side]?.advertiser.id),
  site_id: ({ site_id }) => site_id || null,
  uniqueness: ({ uniqueness }) => uniqueness,
  bot: ({ bot }) => (bot ? '1' : '0'),
  ip_country: ({ ip_country }) => ip_country,
  canonical_id: ({ canonical_id }) => canonical_id,
  created_at: ({ created_at }) => dayOf(Date.parse(created_at), DEFAULT_ZONE),
}

function holds(click: Click, { path, operator, values: texts }: Condition): boolean {
  const value = values[path]?.(click) ?? null
  const [first = '', second = ''] = texts
  if (operator === 'nin') return value === null || !texts.includes(value)
  if (value === null) return false
  if (operator === 'bwn') return value >= first && value <= second
  if (operator === 'gt') return value > first
  return operator === 'like' ? value.toLowerCase().includes(first.toLowerCase()) : texts.includes(value)
}

const condition = fc.constantFrom(...Object.keys(values)).chain((path): fc.Arbitrary<Condition> => {
  const known = [...new Set(clicks.flatMap((click) => values[path]?.(click) ?? []))]
  const value = fc.constantFrom(...known)
  if (path === 'created_at')
    return fc.tuple(value, value).map(([a, b]) => ({ path, operator: 'bwn', values: a <= b ? [a, b] : [b, a] }))
  const choices: fc.Arbitrary<Condition>[] = [
    value.map((text) => ({ path, operator: 'eq', values: [text] })),
    fc
      .uniqueArray(value, { minLength: 1, maxLength: 3 })
      .chain((texts) =>
        fc.constantFrom<Condition>({ path, operator: 'in', values: texts }, { path, operator: 'nin', values: texts }),
      ),
  ]
  if (path === 'site_id')
    choices.push(fc.constantFrom('te-1', 'SITE', '%', '-').map((text) => ({ path, operator: 'like', values: [text] })))
  return fc.oneof(...choices)
})

const query: fc.Arbitrary<ListQuery> = fc.record({
  page: fc.integer({ min: 1, max: 4 }),
  limit: fc.constantFrom(-1, 1, 7, 20),
  query: fc.constant(''),
  // Created lazily, because the clicks do not exist when the file is loaded.
  conditions: fc.uniqueArray(
    fc.constant(null).chain(() => condition),
    { maxLength: 3, selector: ({ path, operator }) => `${path} ${operator}` },
  ),
  order: fc.constantFrom<ListQuery['order']>(
    [],
    [{ path: 'created_at', desc: false }],
    [{ path: 'site_id', desc: false }],
    [{ path: 'partner', desc: true }],
    [{ path: 'partner.title', desc: false }],
    [{ path: 'id', desc: true }],
  ),
})

const sortValue = (click: Click, path: string): string =>
  path.startsWith('partner')
    ? String(nets[click.side]?.partner.title).toLowerCase()
    : path === 'site_id'
      ? click.site_id.toLowerCase()
      : click[path as 'id' | 'created_at']

function compare(order: ListQuery['order']): (a: Click, b: Click) => number {
  const { path, desc } = order[0] ?? { path: 'created_at', desc: true }
  const keys = [path, 'created_at', 'id']
  return (a, b) => {
    for (const key of keys) {
      const [x, y] = [sortValue(a, key), sortValue(b, key)]
      if (x !== y) return (x < y ? -1 : 1) * (desc ? -1 : 1)
    }
    return 0
  }
}

test('any list of clicks equals a plain walk over all of them; the total is exact [TRK-13] [LIST-08] [API-03]', async () => {
  await fc.assert(
    fc.asyncProperty(query, async (asked) => {
      const answer = await done(admin, 'GET', `click?${new URLSearchParams(writeListQuery(asked)).toString()}`)
      const found = clicks
        .filter((click) => asked.conditions.every((one) => holds(click, one)))
        .sort(compare(asked.order))
      const from = asked.limit === -1 ? 0 : (asked.page - 1) * asked.limit
      expect(idsOf(answer)).toEqual(
        found.slice(from, asked.limit === -1 ? undefined : from + asked.limit).map(({ id }) => id),
      )
      expect(answer.pagination).toEqual(paginate(asked.page, asked.limit, found.length))
    }),
    { numRuns: fuzzRuns(40) },
  )
})

test('an empty selection exports no click [LIST-09]', async () => {
  const answer = await admin.call('POST', 'click/export', { ids: [], columns: ['id'], format: 'csv' })
  expect((await answer.text()).trim().split('\n')).toHaveLength(1)
})

test('a click is found by its id; unknown fields and invalid values are rejected by name [API-05]', async () => {
  const [click] = clicks
  expect(idsOf(await done(admin, 'GET', `click?query=${click?.id}`))).toEqual([click?.id])
  expect(await refused(admin, 'GET', 'click?filter[target]=x')).toEqual({ 'filter[target]': ['Unknown field'] })
  expect(await refused(admin, 'GET', 'click?filter[id]=7')).toEqual({ 'filter[id]': ['Invalid value'] })
  expect(await refused(admin, 'GET', 'click?filter[bot][like]=1')).toEqual({
    'filter[bot][like]': ['Unknown operator'],
  })
  expect(await refused(admin, 'GET', 'click?filter[partner]=99999999999')).toEqual({
    'filter[partner]': ['Invalid value'],
  })
  const within = 'offer_partner.uuid'
  expect(await refused(admin, 'GET', `click?filter[${within}]=7`)).toEqual({ [`filter[${within}]`]: ['Invalid value'] })
  for (const path of ['partner.nothing', 'site_id.title'])
    expect(await refused(admin, 'GET', `click?order[${path}]=ASC`)).toEqual({ [`order[${path}]`]: ['Unknown field'] })
  expect(await refused(admin, 'GET', 'click?order[links]=ASC')).toEqual({ 'order[links]': ['Unknown field'] })
})

test('days that ClickHouse cannot store lie before or after every click [API-04]', async () => {
  const total = async (filter: string) =>
    ((await done(admin, 'GET', `click?filter[created_at]${filter}`)).pagination as Json).total
  expect([
    await total('[bwn]=0001-01-01|9999-12-31'),
    await total('[bwn]=1899-12-31|2300-01-01'),
    await total('[gt]=0001-01-01'),
    await total('[nin]=0001-01-01|9999-12-31'),
  ]).toEqual(Array.from({ length: 4 }, () => clicks.length))
  expect([
    await total('[gt]=9999-12-31'),
    await total('[bwn]=0001-01-01|1899-12-31'),
    await total('[bwn]=2300-01-01|9999-12-31'),
    await total('=0001-01-01'),
  ]).toEqual([0, 0, 0, 0])
})

test('a partner sees own clicks only, without the advertiser [PERM-07]', async () => {
  const person = await signIn(server, 'PARTNER', nets[0]?.partner.id ?? 0)
  const list = await done(person, 'GET', 'click?limit=-1')
  expect(new Set(idsOf(list))).toEqual(new Set(clicks.filter(({ side }) => side === 0).map(({ id }) => id)))
  const [row] = list.items as Json[]
  expect(row).not.toHaveProperty('advertiser')
  expect(row?.links).toEqual({ partner: expect.stringContaining('https://go.test/c/') })
  const foreign = clicks.find(({ side }) => side === 1)
  expect((await ask(person, 'GET', `click/${foreign?.id}`)).status).toBe(404)
  expect((await done(person, 'GET', `click?filter[partner]=${nets[1]?.partner.id}`)).items).toEqual([])
  expect((await ask(person, 'GET', 'click?filter[offer.advertiser]=1')).status).toBe(422)
  const nobody = await signIn(server, 'MANAGER')
  expect((await done(nobody, 'GET', 'click')).items).toEqual([])
})
