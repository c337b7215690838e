import { expect, test } from 'vitest'
import { PERMISSION_NEEDS, PERMISSIONS, ROLE_KINDS } from '../access.ts'
import { checkPassword, generatePassword } from '../password.ts'
import { checkPermissions, permissionsOf, withNeeded, withoutDependent } from '../permission-tree.ts'

test('a manager may hold every permission, a partner none about other partners; an admin holds one key [PERM-01] [PERM-04]', () => {
  const all = PERMISSIONS.filter((key) => key !== 'FULL_ACCESS')
  expect(new Set(permissionsOf('MANAGER'))).toEqual(new Set(all))
  const hidden = all.filter((key) => !permissionsOf('PARTNER').includes(key))
  expect(hidden).toEqual([
    'partners_view',
    'partners_edit',
    'manager_access',
    'budget_report_view',
    'budget_report_edit',
    'cohort_analysis_view',
    'cohort_analysis_cumulative_view',
    'partner_report',
    'new_streams',
  ])
  expect(permissionsOf('ADMIN')).toEqual(['FULL_ACCESS'])
})

test('adding a key adds the keys it needs, removing one removes keys that need it; every full tree is valid [PERM-01]', () => {
  expect(withNeeded(['manager_access'])).toEqual(['manager_access', 'partners_edit', 'partners_view'])
  expect(withoutDependent(['manager_access', 'partners_edit', 'partners_view', 'click'], 'partners_view')).toEqual([
    'click',
  ])
  for (const kind of ROLE_KINDS) expect(checkPermissions(kind, permissionsOf(kind))).toEqual([])
  for (const key of Object.keys(PERMISSION_NEEDS) as (keyof typeof PERMISSION_NEEDS)[])
    expect(checkPermissions('MANAGER', [key])).toMatchObject([{ key: 'permission_needs' }])
})

test('a generated password passes the rules every time [AUTH-07]', () => {
  let seed = 7
  const pick = (n: number): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % n
  }
  for (let round = 0; round < 500; round++) expect(checkPassword(generatePassword(pick))).toEqual([])
})
