// Conditions of the filter panel, columns of lists, and labels of options.
import { PERMISSIONS } from '@tributary/contract/access'
import { ENTITIES, ENTITY_NAMES } from '@tributary/contract/entities/registry'
import { operatorsOf } from '@tributary/contract/filter'
import { OPERATORS } from '@tributary/contract/list-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { availableColumns, movePath, shownColumns, togglePath } from '../src/entities/field/columns.ts'
import { entityOf, fieldAt } from '../src/entities/field/field-at.ts'
import { editPath, panelPath } from '../src/entities/field/row-link.ts'
import { labelOption, rowTitle } from '../src/entities/field/row-text.ts'
import {
  carryValues,
  cleanConditions,
  offeredAs,
  offeredOperators,
  setCondition,
} from '../src/entities/filter/condition.ts'
import { setHolder } from '../src/state/profile-facts.ts'

const asPath = (path: string) => path

describe('filter cleaning', () => {
  test('drops empty values and operators without one; keeps zeros and flags [FORM-14]', () => {
    expect(
      cleanConditions([
        { path: 'title', operator: 'like', values: ['  '] },
        { path: 'partner', operator: 'in', values: [] },
        { path: 'offer', operator: 'in', values: ['', '4'] },
        { path: 'active', operator: 'eq', values: ['0'] },
        { path: 'cost', operator: 'gt', values: ['0'] },
        { path: 'date', operator: 'bwn', values: ['', ''] },
      ]),
    ).toEqual([
      { path: 'offer', operator: 'in', values: ['4'] },
      { path: 'active', operator: 'eq', values: ['0'] },
      { path: 'cost', operator: 'gt', values: ['0'] },
    ])
  })

  test('one end of a range suffices and stays on its side [LIST-08]', () => {
    const open = { path: 'cost', operator: 'bwn', values: ['', '50'] } as const
    expect(cleanConditions([open])).toEqual([open])
  })

  test('a change replaces the condition on the path and keeps its position [LIST-08]', () => {
    const before = [
      { path: 'a', operator: 'in', values: ['1'] },
      { path: 'b', operator: 'eq', values: ['1'] },
    ] as const
    expect(setCondition(before, 'a', 'nin', ['2', '3'])).toEqual([
      { path: 'a', operator: 'nin', values: ['2', '3'] },
      before[1],
    ])
    expect(setCondition(before, 'a', 'in', [])).toEqual([before[1]])
    expect(setCondition(before, 'c', 'like', ['x'])).toHaveLength(3)
  })

  test('every filter of every entity offers all operators that the server accepts [LIST-08]', () => {
    const offered = new Set<string>()
    for (const name of ENTITY_NAMES) {
      for (const path of entityOf(name).list.filters) {
        const found = fieldAt(name, path)
        if (found === null) throw new Error(`${name} has no ${path}`)
        const operators = offeredOperators(found.field)
        const taken = operatorsOf(found.field)
        for (const operator of operators) offered.add(operator)
        expect(taken, `${name}: ${path}`).toEqual(expect.arrayContaining([...operators]))
        // 'eq' of an option is offered as 'in'; a flag has only two values.
        const missing = taken.filter((operator) => offeredAs(operator, operators) === undefined)
        expect([name, path, missing]).toEqual([name, path, found.field.kind === 'boolean' ? ['in', 'nin'] : []])
      }
    }
    expect([...offered].sort()).toEqual([...OPERATORS].sort())
  })

  test('another operator keeps the values that it can use [LIST-08]', () => {
    expect(carryValues('numbers', 'bwn', 'gt', ['', '5'])).toEqual(['5'])
    expect(carryValues('days', 'eq', 'in', ['2026-01-01'])).toEqual(['2026-01-01'])
    expect(carryValues('options', 'in', 'nin', ['1', '2'])).toEqual(['1', '2'])
    expect(carryValues('options', 'in', 'like', ['1'])).toEqual([])
    expect(carryValues('text', 'in', 'like', ['a', 'b'])).toEqual(['a'])
  })

  test('two conditions on one path in the address become the edited one [LIST-08]', () => {
    const both = [
      { path: 'cost', operator: 'gt', values: ['1'] },
      { path: 'cost', operator: 'nin', values: ['5'] },
    ] as const
    expect(setCondition(both, 'cost', 'eq', ['7'])).toEqual([{ path: 'cost', operator: 'eq', values: ['7'] }])
  })
})

describe('columns', () => {
  beforeEach(() => setHolder({ role: 'ADMIN', permissions: PERMISSIONS }))

  test('a column that needs a permission is shown only to users who have it [LIST-11] [PERM-02]', () => {
    const paths = () => availableColumns('player', 'MANAGER').map(({ path }) => path)
    setHolder({ role: 'MANAGER', permissions: ['players'] })
    expect(paths()).not.toContain('payment_resolution')
    setHolder({ role: 'MANAGER', permissions: ['players', 'cpa_payment_view'] })
    expect(paths()).toContain('payment_resolution')
  })

  test('every list shows the columns that its entity declares, and can show the others [LIST-11]', () => {
    for (const name of ENTITY_NAMES) {
      const shown = shownColumns(name, 'ADMIN', null, asPath).map(({ path }) => path)
      const { columns } = ENTITIES[name].list
      expect(shown.slice(0, columns.length), name).toEqual(columns)
      expect(availableColumns(name, 'ADMIN').map(({ path }) => path)).toEqual(expect.arrayContaining(shown))
    }
  })

  test('a role never sees columns that are hidden from it [LIST-11]', () => {
    expect(availableColumns('offer', 'PARTNER').map(({ path }) => path)).not.toContain('advertiser')
    expect(shownColumns('offer_partner', 'PARTNER', null, asPath).map(({ path }) => path)).not.toContain(
      'offer.advertiser',
    )
  })

  test('a partner’s list of spends begins with the claim and its state [LIST-11] [MON-06]', () => {
    const first = (role: 'PARTNER' | 'ADMIN') =>
      shownColumns('partner_spend', role, null, asPath)
        .slice(0, 4)
        .map(({ path }) => path)
    expect(first('PARTNER')).toEqual(['date', 'claim_sum', 'state', 'sum'])
    expect(first('ADMIN')).toEqual(['date', 'sum', 'claim_sum', 'state'])
  })

  test('chosen order and widths are stored; removed columns are ignored [LIST-11]', () => {
    const shown = shownColumns('product', 'ADMIN', { shown: ['id', 'gone', 'title'], widths: { id: 99 } }, asPath)
    expect(shown.map(({ path }) => path)).toEqual(['id', 'title'])
    expect(shown[0]?.width).toBe(99)
  })

  test('a column has room for the longest word of its badges [LIST-11]', () => {
    const stored = { shown: ['title', 'state'], widths: {} }
    const widthOf = (words: readonly string[]) => shownColumns('offer', 'ADMIN', stored, asPath, () => words)[1]?.width
    expect(widthOf(['С предупреждениями'])).toBeGreaterThan(widthOf(['Ok']) ?? 0)
    expect(widthOf(['x'.repeat(300)])).toBeLessThanOrEqual(220)
  })

  test('columns move one place and stop at the ends; the last one cannot be hidden [LIST-11]', () => {
    expect(movePath(['a', 'b', 'c'], 'c', 1)).toEqual(['a', 'c', 'b'])
    expect(movePath(['a', 'b'], 'a', -1)).toEqual(['a', 'b'])
    expect(togglePath(['a', 'b'], 'a')).toEqual(['b'])
    expect(togglePath(['a'], 'a')).toEqual(['a'])
    expect(togglePath(['a'], 'b')).toEqual(['a', 'b'])
  })
})

describe('names and links', () => {
  test('media: country and [media ID]; others: title and value, or a dash [FORM-11]', () => {
    expect(labelOption('advertiser_country', { id: 1, title: 'Poland', media_id: 'M-7' })).toBe('Poland [M-7]')
    expect(labelOption('advertiser_country', { id: 1, title: 'Poland', media_id: null })).toBe('Poland [–]')
    expect(labelOption('advertiser_country', { id: 1, title: 'Poland' })).toBe('Poland')
    expect(labelOption('landing', { id: 1, title: 'Welcome', value: '/welcome' })).toBe('Welcome · /welcome')
    expect(labelOption('currency', { id: 1, title: 'Euro', value: null })).toBe('Euro · –')
    expect(labelOption('offer', { id: 1, title: 'Royal UA' })).toBe('Royal UA')
  })

  test('rows lead to their form; rows without one to the panel over their list [LIST-05]', () => {
    expect(editPath('offer', 7)).toBe('/offers/7/edit')
    expect(editPath('click', 'x')).toBeNull()
    expect(panelPath('/clicks?page=2&row=old', 'new')).toBe('/clicks?page=2&row=new')
  })

  test('a row is titled by its title, by that of its reference, or by its number', () => {
    expect(rowTitle('offer', { id: 1, title: 'Royal' })).toBe('Royal')
    expect(rowTitle('advertiser_country', { id: 1, country: { id: 2, title: 'Poland' } })).toBe('Poland')
    expect(rowTitle('player', { id: 5, outer_id: null })).toBe('#5')
    const partner = { id: 3, title: 'Alpha' }
    const place = { stream: { id: 4, title: 'Search', partner }, country: { id: 2, title: 'Poland' }, site_id: null }
    expect(rowTitle('partner_spend', { id: 6, ...place, date: '2026-11-05' })).toBe(
      'Alpha · Search · Poland · 05.11.2026',
    )
  })
})
