// The grammar of list queries: a written query is parsed back unchanged, and anything outside the grammar is rejected by name.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type ListQuery,
  ListQueryError,
  OPERATORS,
  paginate,
  parseListQuery,
  parseListText,
  sliceOfPage,
  writeListQuery,
} from '../list-query.ts'

const path = fc.stringMatching(/^[a-z][a-z_]{0,12}(\.[a-z][a-z_]{0,8}){0,2}$/).filter((text) => !text.endsWith('.id'))
const value = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !text.includes('|') && text.trim() !== '')

const condition = fc.constantFrom(...OPERATORS).chain((operator) => {
  const values =
    operator === 'eq' || operator === 'like' || operator === 'gt'
      ? fc.tuple(value)
      : operator === 'bwn'
        ? fc.tuple(value, value)
        : fc.array(value, { minLength: 1, maxLength: 5 })
  return fc.record({ path, operator: fc.constant(operator), values })
})

const listQuery: fc.Arbitrary<ListQuery> = fc.record({
  page: fc.integer({ min: 1, max: 1000 }),
  limit: fc.constantFrom(-1, 10, 20, 500),
  query: fc.string().map((text) => text.trim()),
  conditions: fc.uniqueArray(condition, { maxLength: 5, selector: (c) => `${c.path} ${c.operator}` }),
  order: fc.uniqueArray(fc.record({ path, desc: fc.boolean() }), { maxLength: 3, selector: (o) => o.path }),
})

test('a list query is written and parsed back unchanged [API-02] [LIST-08]', () => {
  fc.assert(
    fc.property(listQuery, (query) => {
      const wire = new URLSearchParams(writeListQuery(query))
      expect(parseListQuery(wire)).toEqual(query)
    }),
  )
})

test('a written query matches the specification [API-02]', () => {
  const parsed = parseListQuery(
    new URLSearchParams(
      'page=2&limit=50&query=a&filter[active]=1&filter[id][in][]=1&filter[id][in][]=2&filter[id][nin]=4|9&filter[created_at][bwn]=2026-01-01|2026-01-31&filter[offer.advertiser.id][in][]=3&order[active]=DESC&order[offer.title]=ASC',
    ),
  )
  expect(parsed).toEqual({
    page: 2,
    limit: 50,
    query: 'a',
    conditions: [
      { path: 'active', operator: 'eq', values: ['1'] },
      { path: 'id', operator: 'in', values: ['1', '2'] },
      { path: 'id', operator: 'nin', values: ['4', '9'] },
      { path: 'created_at', operator: 'bwn', values: ['2026-01-01', '2026-01-31'] },
      { path: 'offer.advertiser', operator: 'in', values: ['3'] },
    ],
    order: [
      { path: 'active', desc: true },
      { path: 'offer.title', desc: false },
    ],
  })
})

test.each([
  'page=x',
  'limit=0',
  'limit=1e99',
  'filter[id][about]=3',
  'filter[id',
  'filter[a b]=1',
  'order[id]=UP',
  'nonsense=1',
  'filter[id][bwn]=1|2|3',
])('%s is rejected by name [API-02] [API-05]', (wire) => {
  expect(() => parseListQuery(new URLSearchParams(wire))).toThrow(ListQueryError)
})

test('empty filters and operators without a value are dropped [FORM-14]', () => {
  const query: ListQuery = {
    page: 1,
    limit: 20,
    query: '',
    conditions: [
      { path: 'title', operator: 'like', values: [''] },
      { path: 'id', operator: 'in', values: [] },
      { path: 'active', operator: 'eq', values: ['0'] },
    ],
    order: [],
  }
  expect(writeListQuery(query)).toEqual([
    ['page', '1'],
    ['limit', '20'],
    ['filter[active]', '0'],
  ])
})

test('pages are counted from total and limit [API-03]', () => {
  expect(paginate(1, 20, 431).maxPageNumber).toBe(22)
  expect(paginate(1, 20, 0).maxPageNumber).toBe(1)
  expect(paginate(1, -1, 431)).toEqual({ page: 1, limit: -1, total: 431, maxPageNumber: 1 })
  // A total above ALL_CAP is divided into pages of ALL_CAP rows.
  expect(paginate(1, -1, 32_050)).toEqual({ page: 1, limit: 10_000, total: 32_050, maxPageNumber: 4 })
  expect(sliceOfPage({ page: 4, limit: -1 })).toEqual({ size: 10_000, offset: 30_000 })
  for (const page of ['0', '-1', '1.5']) expect(() => parseListQuery([['page', page]])).toThrow('not a number')
})

test('a query has at most 100 conditions, 10 columns of order and 20,000 values of a filter [LIST-08]', () => {
  const many = (count: number, parameter: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => parameter(index)).join('&')
  const conditions = (count: number) => many(count, (index) => `filter[a${index}]=1`)
  const orders = (count: number) => many(count, (index) => `order[a${index}]=ASC`)
  expect(parseListText(conditions(100)).conditions).toHaveLength(100)
  expect(() => parseListText(conditions(101))).toThrow(ListQueryError)
  expect(parseListText(orders(10)).order).toHaveLength(10)
  expect(() => parseListText(orders(11))).toThrow(ListQueryError)
  expect(parseListText(many(20_000, () => 'filter[id][in][]=1')).conditions[0]?.values).toHaveLength(20_000)
  expect(() => parseListText(many(20_001, () => 'filter[id][in][]=1'))).toThrow(ListQueryError)
  expect(() => parseListText(`filter[id][nin]=${'1|'.repeat(240_000)}`)).toThrow(ListQueryError)
  expect(() => parseListText('page=1&'.repeat(70_000))).toThrow(ListQueryError)
})
