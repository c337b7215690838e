// Rows of a collection that two users changed: no change is dropped without asking.

import { expect, test } from 'vitest'
import { buildChange } from '../src/entities/form/form-change.ts'
import { type ChildRow, type FormRow, toForm } from '../src/entities/form/form-row.ts'
import { findRowConflicts } from '../src/entities/form/row-conflict.ts'
import { findDifferences, mergeRows } from '../src/entities/form/stale-merge.ts'

const stored = {
  id: 1,
  active: true,
  title: 'Euro',
  value: 'EUR',
  rates: [
    { id: 11, date: '2026-01-01', rate: '1.0000' },
    { id: 12, date: '2026-02-01', rate: '2.0000' },
    { id: 13, date: '2026-03-01', rate: '3.0000' },
    { id: 14, date: '2026-04-01', rate: '4.0000' },
  ],
}

const ratesOf = (row: FormRow): ChildRow[] => row.rates as ChildRow[]
const version = (change: (rates: ChildRow[]) => ChildRow[]): FormRow => {
  const row = toForm('currency', stored)
  return { ...row, rates: change(ratesOf(row)) }
}
const withRate = (rates: ChildRow[], id: number, rate: string): ChildRow[] =>
  rates.map((row) => (row.id === id ? { ...row, rate } : row))

const base = toForm('currency', stored)
/** I change 11, 12 and 14, and remove 13; they remove 11, change 12 and 13, and leave 14. */
const mine = version((rates) =>
  withRate(withRate(withRate(rates, 11, '1.5'), 12, '2.5'), 14, '4.5').map((row) =>
    row.id === 13 ? { ...row, _status: 'deleted' as const } : row,
  ),
)
const theirs = version((rates) => withRate(withRate(rates, 12, '2.9'), 13, '3.9').filter(({ id }) => id !== 11))

const merge = (...chosen: [string, 'mine' | 'theirs'][]) => {
  const merged = mergeRows('currency', { base, mine, theirs }, new Map([['rates', 'both']]), new Map(chosen))
  return { rows: ratesOf(merged), body: buildChange('currency', merged, theirs).body }
}

test('rows that both changed differently are listed, with their differing cells [FORM-07]', () => {
  expect(findRowConflicts('rates', base.rates, mine.rates, theirs.rates)).toMatchObject([
    { key: 'rates.11', kind: 'theyRemoved', theirs: null, cells: ['rate'], proposed: 'mine' },
    { key: 'rates.12', kind: 'bothChanged', cells: ['rate'], proposed: 'mine' },
    { key: 'rates.13', kind: 'iRemoved', cells: ['rate'], proposed: 'theirs' },
  ])
  expect(findDifferences('currency', base, mine, theirs)).toMatchObject([{ name: 'rates', proposed: 'both' }])
})

test('by default no input is lost: a row that they removed and I changed is created anew [FORM-07]', () => {
  const { rows, body } = merge()
  expect(rows.map(({ date, rate, _status }) => [date, rate, _status])).toEqual([
    ['2026-02-01', '2.5', null],
    ['2026-03-01', '3.9', null],
    ['2026-04-01', '4.5', null],
    ['2026-01-01', '1.5', null],
  ])
  expect(body.rates).toMatchObject([
    { id: 12, _status: 'updated', rate: '2.5' },
    { id: 14, _status: 'updated', rate: '4.5' },
    { id: expect.stringMatching(/^temp_/), _status: 'new', date: '2026-01-01', rate: '1.5' },
  ])
})

test('each row is as the user chose [FORM-07]', () => {
  const { body } = merge(['rates.11', 'theirs'], ['rates.12', 'theirs'], ['rates.13', 'mine'])
  expect(body.rates).toEqual([
    { id: 13, _status: 'deleted' },
    { id: 14, _status: 'updated', rate: '4.5' },
  ])
})

test('conflicts inside a nested row are resolved there and are no conflict of the outer row [FORM-07]', () => {
  const option = (id: number) => ({ id, title: `Person ${id}` })
  const partner = {
    id: 1,
    active: true,
    title: 'Alpha',
    partner_partner_groups: [
      { id: 5, partner_group: option(9), managers: [{ id: 7, user: option(1), is_main: false }] },
    ],
  }
  const groupsOf = (row: FormRow) => row.partner_partner_groups as (ChildRow & { managers: ChildRow[] })[]
  const read = () => toForm('partner', partner)
  const [before, own, other] = [read(), read(), read()]
  const [mineFirst] = groupsOf(own)[0]?.managers ?? []
  if (mineFirst) mineFirst.is_main = true
  const [theirFirst] = groupsOf(other)[0]?.managers ?? []
  groupsOf(other)[0]?.managers.push({ ...theirFirst, id: 8, user: option(2), _key: 'x', _status: null })
  const field = 'partner_partner_groups'
  expect(findRowConflicts(field, before[field], own[field], other[field])).toEqual([])
  const merged = mergeRows('partner', { base: before, mine: own, theirs: other }, new Map([[field, 'both']]))
  expect(groupsOf(merged)[0]?.managers.map(({ id, is_main }) => [id, is_main])).toEqual([
    [7, true],
    [8, false],
  ])
})
