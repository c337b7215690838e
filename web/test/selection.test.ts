// Selections as data, pinned columns, and the content of a saved view.
import { ENTITIES } from '@tributary/contract/entities/registry'
import { EMPTY_QUERY, type ListQuery } from '@tributary/contract/list-query'
import { expect, test } from 'vitest'
import { repeatUntilDone } from '../src/entities/bulk/bulk-actions.tsx'
import {
  countSelected,
  countWords,
  EVERYTHING,
  filterKey,
  invertSelection,
  isSelected,
  NOTHING,
  pageState,
  setSelected,
  toWire,
} from '../src/entities/bulk/selection.ts'
import { shownColumns, togglePinned } from '../src/entities/field/columns.ts'
import { defaultQuery } from '../src/entities/list/list-state.ts'
import { readViewState } from '../src/entities/list/saved-views.ts'

const query: ListQuery = {
  page: 3,
  limit: 50,
  query: 'a&b=c',
  order: [{ path: 'id', desc: true }],
  conditions: [{ path: 'state', operator: 'in', values: ['approved', 'unapproved'] }],
}

test('rows are selected one by one, by page, all, and all but some [LIST-09]', () => {
  const two = setSelected(NOTHING, [1, 2], true)
  expect([isSelected(two, 1), isSelected(two, 3), countSelected(two, 100)]).toEqual([true, false, 2])
  expect(pageState(two, [1, 2])).toBe('all')
  expect(pageState(two, [2, 3])).toBe('some')
  expect(pageState(two, [])).toBe('none')
  expect(countSelected(EVERYTHING, 100)).toBe(100)
  const allButTwo = setSelected(EVERYTHING, [1, 2], false)
  expect([isSelected(allButTwo, 1), isSelected(allButTwo, 3), countSelected(allButTwo, 100)]).toEqual([false, true, 98])
  expect(allButTwo).toEqual(invertSelection(two))
  expect(setSelected(allButTwo, [2], true).ids).toEqual(new Set([1]))
  expect(countSelected(setSelected(two, [1, 2], false), 100)).toBe(0)
})

test('a selection belongs to a filter, regardless of page, size and order [LIST-09]', () => {
  expect(filterKey({ ...query, page: 1, limit: 10, order: [] })).toBe(filterKey(query))
  expect(filterKey({ ...query, query: '' })).not.toBe(filterKey(query))
  expect(toWire(setSelected(NOTHING, [5], true), query)).toEqual({ ids: [5], exclusive: false, filter: '' })
  const { filter, ...rest } = toWire(setSelected(EVERYTHING, [5], false), query)
  expect(rest).toEqual({ ids: [5], exclusive: true })
  expect([...new URLSearchParams(filter)]).toEqual([
    ['query', 'a&b=c'],
    ['filter[state][in][]', 'approved'],
    ['filter[state][in][]', 'unapproved'],
  ])
})

test('pinned columns stay at the left, after the first one [LIST-11]', () => {
  const columns = (pinned: string[], shown: string[]) =>
    shownColumns('offer', 'ADMIN', { shown, widths: {}, pinned }, (path) => path).map(({ path, isPinned }) => [
      path,
      isPinned,
    ])
  expect(columns([], ['title', 'cost', 'state'])).toEqual([
    ['title', true],
    ['cost', false],
    ['state', false],
  ])
  expect(columns(togglePinned([], 'state'), ['title', 'cost', 'state'])).toEqual([
    ['title', true],
    ['state', true],
    ['cost', false],
  ])
  expect(togglePinned(['a', 'b'], 'a')).toEqual(['b'])
})

test('every list opens with its own period [LIST-16]', () => {
  const opens = (name: Parameters<typeof defaultQuery>[0]) =>
    defaultQuery(name, '2026-11-21').conditions.find(({ operator }) => operator === 'bwn')
  const fortnight = { path: 'created_at', operator: 'bwn', values: ['2026-11-08', '2026-11-21'] }
  expect(opens('click')).toEqual(fortnight)
  expect(opens('postback')).toEqual(fortnight)
  expect(opens('payment_invoice')).toMatchObject({ values: ['2026-11-01', '2026-11-21'] })
  expect(opens('partner_spend')).toEqual({ path: 'date', operator: 'bwn', values: ['2026-11-01', '2026-11-21'] })
  expect(opens('budget')).toEqual({ path: 'month', operator: 'bwn', values: ['2026-11-01', '2026-11-21'] })
  expect(opens('offer')).toBeUndefined()
  expect(ENTITIES.payment_invoice.list.panel).toBe(true)
  expect(defaultQuery('payment_invoice', '2026-11-21').order).toEqual([{ path: 'id', desc: true }])
  expect(ENTITIES.offer_partner.list.filters).toEqual(
    expect.arrayContaining(['state', 'partner.partner_partner_groups.partner_group']),
  )
})

test('a view in an unknown format is not opened [LIST-13]', () => {
  const state = {
    conditions: query.conditions,
    order: query.order,
    limit: 50,
    columns: { shown: ['title'], widths: {} },
  }
  expect(readViewState(state)).toEqual(state)
  expect(readViewState({ ...state, columns: 'all' })).toEqual({ ...state, columns: undefined })
  for (const broken of [
    null,
    'x',
    {},
    { ...state, limit: 7 },
    { ...state, conditions: [{ path: 'a', operator: 'or', values: [] }] },
  ])
    expect(readViewState(broken)).toBeNull()
  expect(EMPTY_QUERY.limit).toBe(20)
})

test('a number of selected rows that is an estimate is marked; a count of ticked rows is not [LIST-09]', () => {
  expect(countWords(1_234_567, true)).toEqual({ count: 1_234_567, rows: '≈ 1\u202f234\u202f567' })
  expect(countWords(20)).toEqual({ count: 20, rows: '20' })
})

test('rows that a call left over are sent again as long as there is progress; the outcome is of all calls [LIST-15]', async () => {
  const none = { changed: 0, unchanged: 0, absent: 0, left: 0, refused: 0, refusals: [] }
  const refusals = [{ id: 7, title: 'site-7', message: 'Taken' }]
  const answers = [
    { ...none, changed: 4000, unchanged: 3, absent: 2, left: 6000, refused: 1, refusals },
    { ...none, changed: 5000, unchanged: 4003, absent: 2, left: 999, refused: 1, refusals },
    { ...none, changed: 998, unchanged: 9003, absent: 2, refused: 2, refusals },
  ]
  const before: number[] = []
  const told = await repeatUntilDone(async (changed) => {
    before.push(changed)
    return answers[before.length - 1] ?? none
  })
  expect(before).toEqual([0, 4000, 9000])
  expect(told).toEqual({ ...none, changed: 9998, unchanged: 3, absent: 2, refused: 2, refusals })
  const stuck = { ...none, left: 50, refused: 9000, refusals }
  expect(await repeatUntilDone(async () => stuck)).toEqual(stuck)
})
