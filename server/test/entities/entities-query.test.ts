// Lists equal a naive model: for random filters, sorts and pages the server answers like a plain walk over all rows.

import type { Field } from '@tributary/contract/field'
import { OPERATORS_BY_KIND } from '@tributary/contract/filter'
import { type Condition, type ListQuery, paginate, writeListQuery } from '@tributary/contract/list-query'
import { DEFAULT_ZONE, dayOf } from '@tributary/contract/period'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import {
  done,
  ENTITY_MODULES,
  idsOf,
  type Json,
  linkOf,
  makeNetwork,
  makeOffer,
  unique,
} from '../support/entity-calls.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { compare, compareRows, endField, holds, idOrSelf, plain, valuesAt, world } from './naive-list.ts'

let server: Server
let admin: SignedIn
const PATHS: Record<string, readonly string[]> = {
  offer: [
    'id',
    'active',
    'title',
    'cost',
    'days',
    'baseline',
    'state',
    'product',
    'advertiser',
    'currency',
    'partner_groups',
    'advertiser.title',
    'advertiser_country.country',
    'advertiser_country.country.code',
    'offer_partners.partner',
    'payment_model.type',
  ],
  partner: [
    'id',
    'active',
    'title',
    'team_name',
    'state',
    'tags',
    'tags.title',
    'streams.title',
    'partner_partner_groups.partner_group',
    'postback_urls.events',
    'postback_urls.method',
  ],
  player: [
    'id',
    'outer_id',
    'registered_at',
    'first_deposit_amount',
    'qualified_at',
    'qualification',
    'payment_resolution',
    'click_id',
    'partner',
    'partner.state',
    'advertiser',
    'site_id',
    'offer.advertiser_country.country',
  ],
  offer_partner: [
    'site_id',
    'sub_id',
    'promo_codes',
    'baseline',
    'baseline_period_days',
    'country_requirement',
    'offer',
    'offer.product',
    'partner.title',
    'landings',
    'cost_history.value',
    'cost_history.date_from',
    'postbacks.kind',
  ],
}

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  await fillWorld()
  const names = [
    'offer',
    'partner',
    'player',
    'offer_partner',
    'advertiser',
    'advertiser_country',
    'country',
    'currency',
    'product',
    'payment_model',
    'partner_group',
    'partner_tag',
    'landing',
    'partner_stream',
    'partner_partner_group',
    'partner_postback_url',
    'offer_partner_postback',
    'offer_partner_cost_history',
  ]
  for (const name of names) {
    const all = await done(admin, 'GET', `${name}?limit=-1`)
    world.set(name, new Map((all.items as Json[]).map((row) => [row.id, row])))
  }
})

/** Creates rows with equal, empty, odd and missing values, at which a sort or a filter could fail. */
async function fillWorld(): Promise<void> {
  const tags = [
    await done(admin, 'POST', 'partner_tag', { title: 'VIP' }),
    await done(admin, 'POST', 'partner_tag', { title: 'vip 100%' }),
  ]
  const groups = [
    await done(admin, 'POST', 'partner_group', { title: 'Alpha' }),
    await done(admin, 'POST', 'partner_group', { title: 'beta_\\' }),
  ]
  const product = await done(admin, 'POST', 'product', { title: 'Casino' })
  for (let index = 0; index < 6; index++) {
    const net = await makeNetwork(admin)
    const pick = <T>(list: readonly T[]): T[] => list.filter((_, at) => ((index + 1) >> at) % 2 === 1)
    await done(admin, 'PUT', `partner/${net.partner.id}`, {
      title: `${['Ärger', 'apple', 'Banana', 'cherry_%', 'Яблоко', 'cherry 😀'][index]}`,
      team_name: index % 2 === 0 ? 'Red' : null,
      tags: pick(tags.map(({ id }) => id)),
      partner_partner_groups: pick(groups).map(({ id }) => ({ partner_group: id })),
      postback_urls:
        index % 3 === 0
          ? []
          : [
              {
                url: 'https://p.test/',
                method: index % 2 === 0 ? 'GET' : 'POST',
                events: ['reg', 'ftd'].slice(0, index % 3),
              },
            ],
    })
    await done(
      admin,
      'POST',
      'offer_partner',
      linkOf(net, {
        promo_codes: ['A', 'B%'].slice(0, index % 3),
        baseline: index % 2 === 0 ? '10' : null,
        landings: index % 2 === 0 ? [net.landing.id] : [],
        cost_history: [{ value: index, date_from: `2026-0${index + 1}-01` }],
      }),
    )
    for (let copy = 0; copy < 3; copy++) {
      await makeOffer(admin, net, {
        cost: String(copy * 2.5),
        days: copy === 0 ? null : copy,
        baseline: copy === 2 ? '1.25' : null,
        product: copy === 1 ? product.id : null,
        state: copy === 2 ? 'unapproved' : 'approved',
        active: copy !== 0,
        partner_groups: pick(groups.map(({ id }) => id)),
        title: copy === 0 ? unique('Same_%') : unique(`same ${index}`),
      })
    }
    await fillPlayers(net.advertiser.id, net.partner.id, net.offer.id, index)
  }
}

async function fillPlayers(advertiser: number, partner: number, offer: number, index: number): Promise<void> {
  const insert = `insert into player (outer_id, advertiser_id, partner_id, offer_id, registered_at, first_deposit_amount, qualified_at, qualification, payment_resolution, click_id, site_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
  // Around midnight of the business zone, and the night with a skipped hour.
  const instants = [
    null,
    '2026-03-28T22:30:00Z',
    '2026-03-29T00:59:59.999Z',
    '2026-03-29T21:00:00Z',
    '2026-01-31T21:59:59Z',
    '2026-01-31T22:00:00Z',
  ]
  for (let copy = 0; copy < 6; copy++) {
    const values = [
      `p-${index}-${copy}`,
      advertiser,
      copy % 3 === 0 ? null : partner,
      copy % 2 === 0 ? offer : null,
      instants[copy],
      copy === 4 ? null : copy * 1.5,
      copy % 2 === 0 ? '2026-03-28' : null,
      ['qualified', 'unqualified', 'lost'][copy % 3],
      [null, 'approved'][copy % 2],
      copy === 1 ? null : `0198c000-0000-7000-8000-00000000000${copy}`,
      `s${copy}`,
    ]
    await server.services.postgres.pool.query(insert, values)
  }
}

/** A condition on one of the entity's paths, with existing and nearly existing values. */
function conditions(name: string): fc.Arbitrary<Condition> {
  return fc.constantFrom(...(PATHS[name] ?? [])).chain((path) => {
    const field = endField(name, path.split('.'))
    const rows = [...(world.get(name)?.values() ?? [])]
    const found = rows.flatMap((row) =>
      valuesAt(name, row, path.split('.')).values.map((value) => toText(field, value)),
    )
    const known = [...new Set(found)]
    const value = fc.constantFrom(...(known.length > 0 ? known : strange(field)), ...strange(field))
    return fc.constantFrom(...OPERATORS_BY_KIND[field.kind]).chain((operator): fc.Arbitrary<Condition> => {
      if (operator === 'like') {
        const titles =
          field.kind === 'reference'
            ? rows.flatMap((row) =>
                valuesAt(name, row, path.split('.')).values.map((ref) => String((ref as Json).title)),
              )
            : known
        const part = fc.tuple(
          fc.constantFrom(...titles, 'an', '%', '_', '\\', '100%', 'ß'),
          fc.nat(4),
          fc.integer({ min: 1, max: 6 }),
        )
        return part.map(([text, from, length]) => ({
          path,
          operator,
          values: [
            Array.from(text)
              .slice(from, from + length)
              .join('')
              .trim() || 'e',
          ],
        }))
      }
      if (operator === 'bwn')
        return fc.tuple(value, value).map(([a, b]) => ({ path, operator, values: order(field, a, b) }))
      if (operator === 'in' || operator === 'nin')
        return fc.uniqueArray(value, { minLength: 1, maxLength: 3 }).map((values) => ({ path, operator, values }))
      return value.map((text) => ({ path, operator, values: [text] }))
    })
  })
}

const order = (field: Field, a: string, b: string): string[] =>
  compare(field, field.kind === 'datetime' ? `${a}T12:00:00Z` : a, b) <= 0 ? [a, b] : [b, a]

function toText(field: Field, value: unknown): string {
  const own = idOrSelf(value)
  if (field.kind === 'boolean') return own === true ? '1' : '0'
  return field.kind === 'datetime' ? dayOf(Date.parse(plain(own)), DEFAULT_ZONE) : plain(own)
}

function strange(field: Field): string[] {
  switch (field.kind) {
    case 'integer':
    case 'reference':
    case 'references':
    case 'children':
      return ['0', '3', '987654321', '99999999999']
    case 'decimal':
      return ['0', '2.50', '0.0001', '-1']
    case 'boolean':
      return ['0', '1']
    case 'date':
    case 'datetime':
      return ['2026-03-29', '2026-03-30', '2026-02-01', '1999-01-01']
    case 'uuid':
      return ['00000000-0000-0000-0000-000000000000']
    case 'choice':
    case 'choices':
      return [...field.options]
    case 'text':
    case 'texts':
    case 'json':
    case 'derived':
      return ["'; drop table offer; --", '%', 'é', 'SAME']
  }
}

const SORTS: Record<string, readonly string[]> = {
  offer: ['id', 'active', 'title', 'cost', 'days', 'state', 'product', 'advertiser_country.country.code', 'advertiser'],
  partner: ['title', 'team_name', 'active', 'created_at'],
  player: ['registered_at', 'first_deposit_amount', 'qualified_at', 'partner', 'offer.cost', 'click_id'],
  offer_partner: ['offer', 'baseline', 'country_requirement', 'sub_id', 'offer.product'],
}

const queries = (name: string): fc.Arbitrary<ListQuery> =>
  fc.record({
    page: fc.integer({ min: 1, max: 4 }),
    limit: fc.constantFrom(-1, 1, 3, 10, 500),
    query: fc.constant(''),
    conditions: fc.uniqueArray(conditions(name), {
      maxLength: 3,
      selector: ({ path, operator }) => `${path} ${operator}`,
    }),
    order: fc.uniqueArray(fc.record({ path: fc.constantFrom(...(SORTS[name] ?? [])), desc: fc.boolean() }), {
      maxLength: 2,
      selector: ({ path }) => path,
    }),
  })

test.each(Object.keys(PATHS))(
  'any list of %s equals a plain walk over all rows [API-02] [API-03] [LIST-08]',
  async (name) => {
    const rows = [...(world.get(name)?.values() ?? [])]
    expect(rows.length).toBeGreaterThan(5)
    await fc.assert(
      fc.asyncProperty(queries(name), async (query) => {
        const answer = await done(
          admin,
          'GET',
          `${name}?${new URLSearchParams(writeListQuery(query)).toString()}`,
          undefined,
          {},
        )
        const found = rows
          .filter((row) => query.conditions.every((condition) => holds(name, row, condition)))
          .sort(compareRows(name, query))
        const from = query.limit === -1 ? 0 : (query.page - 1) * query.limit
        expect(idsOf(answer)).toEqual(
          found.slice(from, query.limit === -1 ? undefined : from + query.limit).map(({ id }) => id),
        )
        expect(answer.pagination).toEqual(paginate(query.page, query.limit, found.length))
      }),
      { numRuns: fuzzRuns(50) },
    )
  },
)

test('search finds any part of searched fields, whatever characters it has, and a row by its id [API-02]', async () => {
  const rows = [...(world.get('partner')?.values() ?? [])]
  for (const text of ['cherry', 'CHERRY_%', '%', '_', '😀', 'яблоко', 'ÄRGER', 'nothing of the kind', "'", '\\']) {
    const answer = await done(admin, 'GET', `partner?limit=-1&query=${encodeURIComponent(text)}`, undefined, {})
    const found = rows.filter(({ title }) => String(title).toLowerCase().includes(text.toLowerCase()))
    expect(new Set(idsOf(answer)), text).toEqual(new Set(found.map(({ id }) => id)))
  }
  const [row] = rows
  expect(idsOf(await done(admin, 'GET', `partner?limit=-1&query=${row?.id}`, undefined, {}))).toContain(row?.id)
})

test('search finds a role by the word for its kind in the reader’s language, in lists and choices [API-02] [I18N-01]', async () => {
  const kinds = async (text: string, language: string, path: string): Promise<string[]> => {
    const query = `${path}?limit=-1&query=${encodeURIComponent(text)}`
    const { items } = await done(admin, 'GET', query, undefined, { 'accept-language': language })
    return (items as Json[]).map(({ kind }) => String(kind))
  }
  expect(new Set(await kinds('тимл', 'ru', 'user_role'))).toEqual(new Set(['TEAM_LEADER']))
  expect(new Set(await kinds('team l', 'en', 'user_role'))).toEqual(new Set(['TEAM_LEADER']))
  expect(await kinds('тимл', 'en', 'user_role')).toEqual([])
  const choices = await done(admin, 'GET', 'user_role?lookup=1&query=%D1%82%D0%B8%D0%BC%D0%BB', undefined, {
    'accept-language': 'ru',
  })
  expect((choices.options as Json[]).map(({ title }) => title)).toEqual(['Team leader'])
})
