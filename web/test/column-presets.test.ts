import { METRIC_NAMES } from '@tributary/contract/reports/traffic'
import { describe, expect, test } from 'vitest'
import { COLUMN_PRESETS, placeSorted, presetColumns, presetOf } from '../src/reports/columns/column-presets.ts'

const KNOWN = [...METRIC_NAMES, 'formula:3']

describe('presets of columns', () => {
  test('have known columns in the order of the report, and are recognised [REP-14]', () => {
    for (const preset of COLUMN_PRESETS) {
      const columns = presetColumns(preset, KNOWN)
      expect(columns).toEqual(KNOWN.filter((name) => columns.includes(name)))
      expect(presetOf(columns, KNOWN)).toBe(preset)
    }
    expect(presetColumns('money', KNOWN)).toContain('profit')
    expect(presetOf(['cc', 'nd'], KNOWN)).toBeNull()
  })

  test('lack the columns that a role may not see [PERM-07]', () => {
    const known = KNOWN.filter((name) => !['income', 'profit', 'roi'].includes(name))
    expect(presetColumns('money', known)).toEqual(['nd', 'deposits_amount', 's', 'cfd'])
  })
})

describe('the sorted column', () => {
  test('stands first while the columns are in the order of the report [REP-14]', () => {
    expect(placeSorted(KNOWN, KNOWN, 'roi').slice(0, 3)).toEqual(['roi', 'cc', 'uc'])
    expect(placeSorted(KNOWN, KNOWN, 'formula:3_2')[0]).toBe('formula:3')
    expect(placeSorted(KNOWN, KNOWN, 'spend_2')[0]).toBe('s')
    expect(placeSorted(KNOWN, KNOWN, 'group')).toEqual(KNOWN)
    expect(placeSorted(['cc', 'nd', 's'], KNOWN, 's')).toEqual(['s', 'cc', 'nd'])
  })

  test('stays where the user has put it, and hidden if the user has hidden it [REP-14]', () => {
    expect(placeSorted(['nd', 'cc', 's'], KNOWN, 's')).toEqual(['nd', 'cc', 's'])
    expect(placeSorted(['nd', 's'], KNOWN, 'cc')).toEqual(['nd', 's'])
  })

  test('joins a preset that lacks it [REP-14]', () => {
    const money = presetColumns('money', KNOWN)
    expect(placeSorted(money, KNOWN, 'cc')).toEqual(['cc', ...money])
  })
})
