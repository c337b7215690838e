import { PERMISSIONS, type RoleKind } from '@tributary/contract/access'
import { ENTITIES } from '@tributary/contract/entities/registry'
import { expect, test } from 'vitest'
import { areasOpenAtFirst, currentItem, homePath, resolveNavigation } from '../src/app/navigation.ts'
import { en } from '../src/i18n/en/dictionary.ts'
import type { Dictionary } from '../src/i18n/shape.ts'
import { safeReturn } from '../src/lib/safe-return.ts'

const words = en as unknown as Dictionary
const pathsOf = (role: RoleKind, permissions: readonly (typeof PERMISSIONS)[number][] = []) =>
  resolveNavigation({ role, permissions }, words).flatMap(({ items }) => items.map(({ path }) => path))

test('the menu shows only screens that the user may open; empty areas are absent [NAV-10] [PERM-02]', () => {
  const admin = pathsOf('ADMIN')
  expect(admin).toEqual(
    expect.arrayContaining(['/offers', '/offer-partners', '/currencies', '/roles', '/clicks', '/finance-overview']),
  )
  const partner = pathsOf('PARTNER')
  expect(partner).toEqual(expect.arrayContaining(['/offer-partners', '/postbacks']))
  for (const closed of ['/currencies', '/roles', '/users', '/clicks', '/offers', '/partners'])
    expect(partner).not.toContain(closed)
  expect(pathsOf('MANAGER', ['click'])).toContain('/clicks')
  expect(resolveNavigation({ role: 'PARTNER', permissions: [] }, words).every(({ items }) => items.length > 0)).toBe(
    true,
  )
})

test('views of one report share an entry; whoever may open only one of them gets that one [NAV-04] [NAV-10]', () => {
  const cohorts = (permission: 'cohort_analysis_view' | 'cohort_analysis_cumulative_view') =>
    resolveNavigation({ role: 'MANAGER', permissions: [permission] }, words)
      .flatMap(({ items }) => items)
      .filter(({ path }) => path.startsWith('/cohort'))
      .map(({ path, views }) => [path, ...views.map((view) => view.path)])
  expect(cohorts('cohort_analysis_view')).toEqual([['/cohort-analysis', '/cohort-analysis-old']])
  expect(cohorts('cohort_analysis_cumulative_view')).toEqual([['/cohort-analysis-cumulative']])
  expect(pathsOf('ADMIN')).not.toContain('/general-report-old')
})

test('six areas fold besides the dashboard; at most 20 entries are open at first, all of a short menu [NAV-10]', () => {
  const all = resolveNavigation({ role: 'ADMIN', permissions: PERMISSIONS }, words)
  expect(all.map(({ area }) => area)).toEqual([
    'dashboard',
    'reports',
    'traffic',
    'partners',
    'finance',
    'directory',
    'administration',
  ])
  const open = areasOpenAtFirst(all)
  expect(all.filter(({ area }) => open.has(area)).flatMap(({ items }) => items).length).toBeLessThanOrEqual(20)
  expect([...open]).toEqual(['dashboard', 'reports', 'traffic', 'partners'])
  const few = resolveNavigation({ role: 'PARTNER', permissions: [] }, words)
  expect(areasOpenAtFirst(few).size).toBe(few.length)
})

test('one entry of the menu is current: that of the longest path that begins the address [NAV-10]', () => {
  const items = resolveNavigation({ role: 'ADMIN', permissions: PERMISSIONS }, words).flatMap((area) => area.items)
  const of = (pathname: string) => currentItem(items, pathname)?.path
  expect(of('/payment-invoices/7/edit')).toBe('/payment-invoices')
  expect(of('/payment-invoices/create')).toBe('/payment-invoices/create')
  expect(of('/general-report-old')).toBe('/general-report')
  expect(of('/account')).toBeUndefined()
})

test('every path of the menu occurs once [NAV-10]', () => {
  const paths = pathsOf('ADMIN', PERMISSIONS)
  expect(new Set(paths).size).toBe(paths.length)
})

test('every entity with screens has an entry, apart from rejected clicks, which the list of clicks opens [NAV-10]', () => {
  const paths = new Set(pathsOf('ADMIN', PERMISSIONS))
  const missing = Object.values(ENTITIES).flatMap(({ route }) => (route === null || paths.has(route) ? [] : [route]))
  expect(missing).toEqual(['/rejected-clicks'])
})

test('the start page is the offers, or the first screen that may be opened [NAV-01]', () => {
  expect(homePath({ role: 'ADMIN', permissions: [] }, words)).toBe('/offers')
  expect(homePath({ role: 'MANAGER', permissions: ['offer_view'] }, words)).toBe('/offers')
  expect(pathsOf('PARTNER')).toContain(homePath({ role: 'PARTNER', permissions: [] }, words))
})

test('after signing in one returns to the original path and query, never to another site [AUTH-08]', () => {
  expect(safeReturn('/clicks?page=2&filter=%7B%22a%22%3A1%7D')).toBe('/clicks?page=2&filter=%7B%22a%22%3A1%7D')
  for (const target of [
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
    '/.//evil.test',
    'javascript:alert(1)',
    '/\tx',
    undefined,
    5,
    '/auth/login',
  ])
    expect(safeReturn(target)).toBe('/')
})
