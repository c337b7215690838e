// The state of lists: defaults, the address and back, stored state.
import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import { PAGE_SIZES } from '@tributary/contract/limits'
import { EMPTY_QUERY, type ListQuery } from '@tributary/contract/list-query'
import { describe, expect, test } from 'vitest'
import { fieldAt } from '../src/entities/field/field-at.ts'
import { pagerPages } from '../src/entities/list/list-pager.tsx'
import {
  defaultQuery,
  dropHidden,
  findLeftOut,
  fromStored,
  nextOrder,
  periodPath,
  readSearch,
  toStored,
  writeSearch,
} from '../src/entities/list/list-state.ts'
import { isStoredColumns, isStoredList } from '../src/entities/list/list-storage.ts'

const TODAY = '2026-11-20'

/** Writes and reads a search like the router: JSON if it is JSON, plain otherwise. */
function throughRouter(search: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(search).map(([key, value]) => {
      const text = typeof value === 'string' && isJson(value) ? JSON.stringify(value) : String(value)
      return [key, isJson(text) ? JSON.parse(text) : text]
    }),
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('opening state', () => {
  test('20 rows, page 1, active rows, newest first [LIST-02]', () => {
    const { page, limit, conditions, order } = defaultQuery('traffic_source', TODAY)
    expect([page, limit]).toEqual([1, 20])
    expect(conditions).toEqual([{ path: 'active', operator: 'eq', values: ['1'] }])
    expect(order).toEqual([
      { path: 'active', desc: true },
      { path: 'id', desc: true },
    ])
  })

  test('users are filtered by enabled [LIST-02]', () => {
    expect(defaultQuery('user', TODAY).conditions).toEqual([{ path: 'enabled', operator: 'eq', values: ['1'] }])
  })

  test('clicks and postbacks open with the last two weeks, newest first [LIST-16]', () => {
    for (const name of ['click', 'postback'] as const) {
      const { conditions, order } = defaultQuery(name, TODAY)
      expect(conditions).toEqual([{ path: 'created_at', operator: 'bwn', values: ['2026-11-07', TODAY] }])
      expect(order).toEqual([{ path: 'created_at', desc: true }])
    }
  })

  test('every entity opens with existing fields [LIST-02]', () => {
    for (const name of ENTITY_NAMES) {
      const { conditions, order } = defaultQuery(name, TODAY)
      for (const { path } of [...conditions, ...order]) expect(fieldAt(name, path), `${name}.${path}`).not.toBeNull()
    }
  })
})

describe('address', () => {
  const query: ListQuery = {
    page: 3,
    limit: 50,
    query: '12 monkeys',
    conditions: [
      { path: 'active', operator: 'eq', values: ['1'] },
      { path: 'offer.advertiser', operator: 'in', values: ['3', '4'] },
      { path: 'partner', operator: 'nin', values: ['9'] },
      { path: 'site_id', operator: 'like', values: ['1e5'] },
      { path: 'created_at', operator: 'bwn', values: ['2026-11-07', '2026-11-20'] },
      { path: 'cost', operator: 'bwn', values: ['10', ''] },
      { path: 'bot', operator: 'eq', values: ['0'] },
    ],
    order: [
      { path: 'offer.title', desc: false },
      { path: 'id', desc: true },
    ],
  }

  test('a copied address shows the same list [NAV-12]', () => {
    expect(readSearch(throughRouter(writeSearch(query)))).toEqual(query)
  })

  test('other parameters stay, those of the list are replaced [NAV-08] [NAV-12]', () => {
    const search = writeSearch(EMPTY_QUERY, { tab: 'terms', row: 'x', 'filter[active]': 1, page: 7 })
    expect(search).toEqual({ tab: 'terms', row: 'x', page: 1, limit: 20 })
  })

  test('a copied address names what its reader may not see, or what is no more: it is left out [NAV-12] [PERM-07]', () => {
    const search = {
      'filter[offer]': 7,
      'filter[offer.advertiser]': 3,
      'filter[gone]': 1,
      'order[offer.advertiser]': 'ASC',
      'order[id]': 'DESC',
    }
    const of = (role: 'ADMIN' | 'PARTNER') => {
      const { conditions, order } = dropHidden('offer_partner', role, readSearch(search) ?? EMPTY_QUERY)
      return [...conditions, ...order].map(({ path }) => path)
    }
    expect(of('ADMIN')).toEqual(['offer', 'offer.advertiser', 'offer.advertiser', 'id'])
    expect(of('PARTNER')).toEqual(['offer', 'id'])
  })

  test('an empty or invalid address is not a state [LIST-06]', () => {
    expect(readSearch({})).toBeNull()
    expect(readSearch({ tab: 'main' })).toBeNull()
    expect(readSearch({ 'filter[active][above]': 1 })).toBeNull()
    expect(readSearch({ page: 'x' })).toBeNull()
  })

  test('only known page sizes are accepted [LIST-03]', () => {
    expect(PAGE_SIZES).toEqual([10, 20, 50, 100, 250, 500])
    expect(readSearch({ limit: 250 })?.limit).toBe(250)
    expect(readSearch({ limit: 33 })?.limit).toBe(20)
    expect(readSearch({ limit: -1 })?.limit).toBe(20)
    expect(readSearch({ page: -1 })?.page).toBe(1)
  })
})

describe('storage', () => {
  test('filters, page size, sort and panel are stored; page and search are not [LIST-06]', () => {
    const defaults = defaultQuery('offer', TODAY)
    const query: ListQuery = {
      page: 4,
      limit: 100,
      query: 'royal',
      conditions: [{ path: 'state', operator: 'in', values: ['unapproved'] }],
      order: [{ path: 'title', desc: false }],
    }
    const stored = JSON.parse(JSON.stringify(toStored(query, true, null))) as unknown
    if (!isStoredList(stored)) throw new Error('not a stored list')
    expect(stored.panel).toBe(true)
    expect(fromStored(stored, defaults, null)).toEqual({ ...query, page: 1, query: '' })
  })

  test('the period of a log moves with the days [LIST-06] [LIST-16]', () => {
    const period = periodPath('click')
    const old = defaultQuery('click', '2026-01-20')
    const stored = toStored(
      { ...old, conditions: [...old.conditions, { path: 'bot', operator: 'eq', values: ['0'] }] },
      false,
      period,
    )
    const opened = fromStored(stored, defaultQuery('click', TODAY), period)
    expect(opened.conditions).toEqual([
      { path: 'bot', operator: 'eq', values: ['0'] },
      { path: 'created_at', operator: 'bwn', values: ['2026-11-07', TODAY] },
    ])
  })

  test('an invalid stored value is ignored [LIST-06]', () => {
    expect(isStoredList({ limit: 21, order: [], conditions: [], panel: false })).toBe(false)
    expect(isStoredList({ limit: 20, order: [{ path: 1 }], conditions: [], panel: false })).toBe(false)
    expect(isStoredList(null)).toBe(false)
    expect(isStoredColumns({ shown: ['a'], widths: { a: -1 } })).toBe(false)
    expect(isStoredColumns({ shown: ['a'], widths: { a: 90 } })).toBe(true)
  })
})

describe('sort and pages', () => {
  const opening = [{ path: 'id', desc: true }]

  test('a header sorts ascending, then descending, then by default [LIST-01]', () => {
    const up = nextOrder(opening, 'title', opening)
    expect(up).toEqual([{ path: 'title', desc: false }])
    const down = nextOrder(up, 'title', opening)
    expect(down).toEqual([{ path: 'title', desc: true }])
    expect(nextOrder(down, 'title', opening)).toEqual(opening)
  })

  test('the pager shows seven pages around the current one [LIST-03]', () => {
    expect(pagerPages(1, 3)).toEqual([1, 2, 3])
    expect(pagerPages(1, 40)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(pagerPages(20, 40)).toEqual([17, 18, 19, 20, 21, 22, 23])
    expect(pagerPages(40, 40)).toEqual([34, 35, 36, 37, 38, 39, 40])
    expect(pagerPages(99, 2)).toEqual([1, 2])
    expect(pagerPages(1, 0)).toEqual([1])
  })
})

test('names what a list leaves out of its address: what cannot be read, and fields hidden from the user [NAV-12] [PERM-07]', () => {
  const sent = {
    'filter[partner][in]': '2',
    'filter[advertiser][in]': 1,
    'order[advertiser]': 'asc',
    page: 2,
    other: 'x',
  }
  expect(findLeftOut('player', 'ADMIN', sent)).toEqual([])
  expect(findLeftOut('player', 'PARTNER', sent)).toEqual(['advertiser'])
  expect(findLeftOut('player', 'ADMIN', { 'filter[nonsense][eq]': '1' })).toEqual(['nonsense'])
  expect(findLeftOut('player', 'ADMIN', { 'filter[partner][foo]': '1', tab: 'x' })).toEqual(['partner'])
  expect(findLeftOut('player', 'ADMIN', { tab: 'x' })).toEqual([])
})

test('[NAV-12] a list opens without filter values that its fields cannot hold', () => {
  const sent = {
    'filter[partner][in]': 'abc|7',
    'filter[payment_resolution]': 'NONE',
    'filter[registered_at][bwn]': 'yesterday|',
    'filter[actual_country][in]': '3|4',
  }
  const { conditions } = dropHidden('player', 'ADMIN', readSearch(sent) ?? EMPTY_QUERY)
  expect(conditions).toEqual([
    { path: 'partner', operator: 'in', values: ['7'] },
    { path: 'actual_country', operator: 'in', values: ['3', '4'] },
  ])
  expect(findLeftOut('player', 'ADMIN', sent)).toEqual(['partner', 'payment_resolution', 'registered_at'])
  const withOperator = { 'filter[title][like]': 'Velvet', 'filter[cost][gte]': '50', page: 'x' }
  expect(readSearch(withOperator)?.conditions).toEqual([{ path: 'title', operator: 'like', values: ['Velvet'] }])
  expect(findLeftOut('offer', 'ADMIN', withOperator)).toEqual(['cost', 'page'])
})
