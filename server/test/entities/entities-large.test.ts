// Lists with more rows than are sorted for a page: they follow an index and estimate totals, and answer like any list.

import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import { EXACT_COUNT } from '@tributary/contract/limits'
import { beforeAll, expect, test } from 'vitest'
import { fieldsOf } from '../../src/entities/engine/model/model.ts'
import type { Server } from '../../src/server.ts'
import { done, ENTITY_MODULES, idsOf, type Json, linkOf, makeNetwork, makeOffer } from '../support/entity-calls.ts'
import { entityOf } from '../support/entity-rows.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn
/** More rows than are sorted for a page. */
const LINKS = 1200

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  for (let round = 0; round < 3; round++) {
    const net = await makeNetwork(admin)
    const { advertiser, presence, currency } = net
    const { partner, stream, traffic_source } = linkOf(net)
    for (const offer of [net.offer, await makeOffer(admin, { advertiser, presence, currency })])
      await server.services.postgres.pool.query(
        `insert into offer_partner (offer_id, partner_id, stream_id, traffic_source_id, currency_id, site_id, sub_id, state, active, baseline)
          select $1::int, $2::int, $3::int, $4::int, $5::int, 'Site-' || $1::int || '-' || n, case when n % 3 > 0 then 'sub-' || n % 7 end,
            case when n % 5 = 0 then 'unapproved' else 'approved' end, n % 4 > 0, case when n % 2 > 0 then n % 10 end
          from generate_series(1, $6::int) as n`,
        [offer.id, partner, stream, traffic_source, currency.id, LINKS / 6],
      )
  }
})

const valueAt = (row: Json, path: string): unknown => {
  let value: unknown = row
  for (const step of path.split('.')) value = (value as Json | null)?.[step]
  return typeof value === 'object' && value !== null ? (value as Json).title : value
}

/** Sorts by key, missing keys last; equal keys by id. */
function sorted(rows: readonly Json[], path: string, sign: 1 | -1): number[] {
  const keyOf = (row: Json): unknown => {
    const value = valueAt(row, path)
    return typeof value === 'string' ? (/^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value.toLowerCase()) : value
  }
  return [...rows]
    .sort((a, b) => {
      const [left, right] = [keyOf(a), keyOf(b)] as [string, string]
      if (left === right) return sign * (a.id - b.id)
      if (left === null) return 1
      if (right === null) return -1
      return left < right ? -sign : sign
    })
    .map(({ id }) => id)
}

const pageOf = (query: string): Promise<Json> => done(admin, 'GET', `offer_partner?${query}`)

test('a large list in any order is in that order, page by page [LIST-01] [API-03]', async () => {
  const all = (await pageOf('filter[active]=1&limit=-1')).items as Json[]
  expect(all).toHaveLength(LINKS * 0.75)
  const whole = (await pageOf('limit=-1')).items as Json[]
  const paths = [
    'offer',
    'partner',
    'stream',
    'traffic_source',
    'currency',
    'offer.advertiser',
    'offer.advertiser_country',
  ]
  for (const path of [
    ...paths,
    'site_id',
    'sub_id',
    'baseline',
    'state',
    'uuid',
    'country_requirement',
    'advertiser_link_template',
  ])
    for (const [word, sign] of [
      ['ASC', 1],
      ['DESC', -1],
    ] as const) {
      const expected = sorted(whole, path, sign)
      for (const page of [1, 4, 12, 13]) {
        const answer = await pageOf(`order[${path}]=${word}&limit=100&page=${page}`)
        expect(idsOf(answer), `${path} ${word} ${page}`).toEqual(expected.slice((page - 1) * 100, page * 100))
        expect(answer.pagination).toMatchObject({ total: LINKS, maxPageNumber: 12 })
      }
      const few = await pageOf(`filter[active]=1&order[${path}]=${word}&limit=50`)
      expect(idsOf(few), `${path} ${word}, active`).toEqual(sorted(all, path, sign).slice(0, 50))
    }
})

test('conditions through other rows find the same, however many rows lie between [LIST-08] [API-02]', async () => {
  const rows = (await pageOf('limit=-1')).items as Json[]
  const [first] = rows
  if (first === undefined) throw new Error('no rows')
  const offer = (first.offer as Json).id
  const advertiser = valueAt(first, 'offer.advertiser') as string
  const isOf = (row: Json): boolean => valueAt(row, 'offer.advertiser') === advertiser
  const found = async (query: string): Promise<number> =>
    ((await pageOf(`${query}&limit=10`)).pagination as { total: number }).total
  expect(await found(`filter[offer][nin]=${offer}`)).toBe(rows.filter((row) => (row.offer as Json).id !== offer).length)
  expect(await found(`filter[offer.advertiser][like]=${encodeURIComponent(advertiser)}`)).toBe(rows.filter(isOf).length)
  expect(await found('filter[offer][like]=nobody-is-called-so')).toBe(0)
  expect(await found(`filter[offer.advertiser][nin]=${((first.offer as Json).advertiser as Json).id}`)).toBe(
    rows.filter((row) => !isOf(row)).length,
  )
  expect(await found('filter[site_id][like]=SITE-')).toBe(LINKS)
  expect(await found('query=e-')).toBe(LINKS)
})

test('the total of a large list is an estimate and marked so; a smaller one is exact [API-03]', async () => {
  await server.services.postgres.pool.query(
    `insert into audit_log (action, entity, entity_id, request_id)
      select case when n <= 70 then 'access' else 'update' end, 'landing', n, 'bench-' || n from generate_series(1, $1::int) as n`,
    [EXACT_COUNT + 500],
  )
  await server.services.postgres.pool.query('analyze audit_log')
  const whole = await done(admin, 'GET', 'audit_log')
  expect(whole.pagination).toMatchObject({
    approximate: true,
    total: expect.toSatisfy((total: number) => total > EXACT_COUNT),
  })
  const some = await done(admin, 'GET', 'audit_log?filter[request_id][in]=bench-1|bench-2')
  expect(some.pagination).toEqual({ page: 1, limit: 20, total: 2, maxPageNumber: 1 })
})

test('every reference that sorts a large list has an index with the id [LIST-01]', async () => {
  const { rows } = await server.services.postgres.pool.query<{ tablename: string; indexdef: string }>(
    "select tablename, indexdef from pg_indexes where schemaname = 'public'",
  )
  for (const name of ENTITY_NAMES.filter((each) => entityOf(each).isLarge)) {
    for (const [field, { kind, required, unsorted }] of fieldsOf(entityOf(name))) {
      if (kind !== 'reference' || !required || unsorted) continue
      const isThere = rows.some(
        ({ tablename, indexdef }) => tablename === name && indexdef.includes(`(${field}_id, id)`),
      )
      expect([name, field, isThere]).toEqual([name, field, true])
    }
  }
})
