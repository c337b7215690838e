// The left menu as data: areas of the work, what is in each. What does not exist or may not be opened is left out when it is resolved.

import {
  IconActivity,
  IconAd2,
  IconApi,
  IconArrowsExchange,
  IconBook2,
  IconBuildingStore,
  IconCalendarCheck,
  IconCalendarDollar,
  IconChartBar,
  IconChartDots,
  IconChartGridDots,
  IconClick,
  IconCoin,
  IconCreditCardPay,
  IconFileDollar,
  IconFileSearch,
  IconHistory,
  IconLayoutDashboard,
  IconLink,
  IconList,
  IconMap2,
  IconPackage,
  IconPlusMinus,
  IconReceipt2,
  IconReportMoney,
  IconRoute,
  IconScale,
  IconSettings,
  IconShieldLock,
  IconSparkles,
  IconTable,
  IconTag,
  IconTags,
  IconUserDollar,
  IconUsers,
  IconUsersGroup,
  IconVocabulary,
  IconWorld,
  type TablerIcon,
} from '@tabler/icons-react'
import { type AccessHolder, isAllowed, type Requirement } from '@tributary/contract/access'
import { ENTITIES, type EntityName } from '@tributary/contract/entities/registry'
import type { Dictionary } from '../i18n/shape.ts'
import { HOME } from '../lib/safe-return.ts'
import { SCREENS, type Screen } from '../screens/registry.tsx'

export type Area = keyof Dictionary['areas']

interface Declared {
  readonly to: { readonly entity: EntityName } | { readonly screen: keyof Dictionary['screens'] }
  readonly icon: TablerIcon
  /** Other views of the same report: they have addresses of their own, but no entry. */
  readonly views?: readonly (keyof Dictionary['screens'])[]
}

const NAVIGATION: readonly { readonly area: Area; readonly items: readonly Declared[] }[] = [
  { area: 'dashboard', items: [{ to: { screen: 'dashboard' }, icon: IconLayoutDashboard }] },
  {
    area: 'reports',
    items: [
      { to: { screen: 'general-report' }, icon: IconChartBar, views: ['general-report-old'] },
      { to: { screen: 'general-report-click' }, icon: IconChartDots, views: ['general-report-click-old'] },
      {
        to: { screen: 'cohort-analysis' },
        icon: IconChartGridDots,
        views: ['cohort-analysis-cumulative', 'cohort-analysis-old'],
      },
      { to: { screen: 'costs-report' }, icon: IconReceipt2 },
      { to: { screen: 'partners-report' }, icon: IconUsersGroup },
      { to: { screen: 'new-streams' }, icon: IconSparkles },
    ],
  },
  {
    area: 'traffic',
    items: [
      { to: { entity: 'click' }, icon: IconClick },
      { to: { entity: 'player' }, icon: IconUserDollar },
      { to: { entity: 'player_report' }, icon: IconReportMoney },
      { to: { entity: 'postback' }, icon: IconArrowsExchange },
      { to: { screen: 'trace' }, icon: IconRoute },
    ],
  },
  {
    area: 'partners',
    items: [
      { to: { entity: 'partner' }, icon: IconUsers },
      { to: { entity: 'partner_group' }, icon: IconUsersGroup },
      { to: { entity: 'advertiser' }, icon: IconBuildingStore },
      { to: { entity: 'offer' }, icon: IconTags },
      { to: { entity: 'offer_partner' }, icon: IconLink },
    ],
  },
  {
    area: 'finance',
    items: [
      { to: { screen: 'finance-overview' }, icon: IconReportMoney },
      { to: { entity: 'partner_spend' }, icon: IconReportMoney },
      { to: { entity: 'google_parse_result' }, icon: IconTable },
      { to: { screen: 'budget-plan' }, icon: IconCalendarDollar },
      { to: { entity: 'budget' }, icon: IconList },
      { to: { screen: 'period-closes' }, icon: IconCalendarCheck },
      { to: { screen: 'invoice-preview' }, icon: IconFileSearch },
      { to: { entity: 'statement' }, icon: IconFileDollar },
      { to: { entity: 'payment_invoice' }, icon: IconFileDollar },
      { to: { entity: 'payment' }, icon: IconCoin },
      { to: { screen: 'partner-ledger' }, icon: IconScale },
      { to: { entity: 'ledger_entry' }, icon: IconBook2 },
      { to: { entity: 'adjustment' }, icon: IconPlusMinus },
      { to: { screen: 'own-billing' }, icon: IconCreditCardPay },
    ],
  },
  {
    area: 'directory',
    items: [
      { to: { entity: 'product' }, icon: IconPackage },
      { to: { entity: 'traffic_source' }, icon: IconWorld },
      { to: { entity: 'landing' }, icon: IconAd2 },
      { to: { entity: 'payment_model' }, icon: IconCreditCardPay },
      { to: { entity: 'country' }, icon: IconMap2 },
      { to: { entity: 'currency' }, icon: IconCoin },
      { to: { entity: 'event' }, icon: IconVocabulary },
      { to: { entity: 'partner_event_group' }, icon: IconVocabulary },
      { to: { entity: 'partner_tag' }, icon: IconTag },
      { to: { entity: 'offer_partner_tag' }, icon: IconTag },
    ],
  },
  {
    area: 'administration',
    items: [
      { to: { entity: 'user' }, icon: IconUsers },
      { to: { entity: 'user_role' }, icon: IconShieldLock },
      { to: { entity: 'players_report_api' }, icon: IconApi },
      { to: { entity: 'audit_log' }, icon: IconHistory },
      { to: { screen: 'settings' }, icon: IconSettings },
      { to: { screen: 'status' }, icon: IconActivity },
    ],
  },
]

export interface NavigationItem {
  readonly path: string
  readonly label: string
  readonly icon: TablerIcon
  readonly views: readonly NavigationView[]
}

export type NavigationView = Pick<NavigationItem, 'path' | 'label'>

export interface NavigationArea {
  readonly area: Area
  readonly label: string
  readonly items: readonly NavigationItem[]
}

/** `g` and then this letter opens the first screen of an area, or a screen by its path. */
export const SHORTCUTS: Readonly<Record<string, { readonly area: Area } | { readonly path: string }>> = {
  d: { area: 'dashboard' },
  r: { area: 'reports' },
  t: { area: 'traffic' },
  p: { area: 'partners' },
  o: { path: ENTITIES.offer.route },
  f: { area: 'finance' },
  i: { area: 'directory' },
  a: { area: 'administration' },
}

interface Target {
  readonly path: string
  readonly access: Requirement
  readonly label: string
}

function targetOf(to: Declared['to'], words: Dictionary): Target | null {
  if ('entity' in to) {
    const { route, access } = ENTITIES[to.entity]
    return route === null ? null : { path: route, access: access.view, label: words.entities[to.entity].title }
  }
  const screen = (SCREENS as readonly Screen[]).find(({ name }) => name === to.screen)
  return screen ? { path: screen.path, access: screen.access, label: words.screens[to.screen].title } : null
}

export function resolveNavigation(holder: AccessHolder, words: Dictionary): readonly NavigationArea[] {
  return NAVIGATION.map(({ area, items }) => ({
    area,
    label: words.areas[area],
    items: items.flatMap(({ to, icon, views = [] }) => {
      const targets = [targetOf(to, words), ...views.map((screen) => targetOf({ screen }, words))]
      const open = targets.flatMap((target) =>
        target && isAllowed(target.access, holder) ? [{ path: target.path, label: target.label }] : [],
      )
      const [first, ...others] = open
      return first ? [{ ...first, icon, views: others }] : []
    }),
  })).filter(({ items }) => items.length > 0)
}

/** The entry whose screen or view is open: of several whose path begins the address, the one with the longest path. */
export function currentItem(items: readonly NavigationItem[], pathname: string): NavigationItem | undefined {
  const isWithin = ({ path, views }: NavigationItem) =>
    pathname === path || pathname.startsWith(`${path}/`) || views.some((view) => view.path === pathname)
  return items.filter(isWithin).sort((a, b) => b.path.length - a.path.length)[0]
}

const ENTRIES_OPEN_AT_FIRST = 20

/** The areas that are unfolded until the user decides: the first ones, up to 20 entries. */
export function areasOpenAtFirst(areas: readonly NavigationArea[]): ReadonlySet<Area> {
  let entries = 0
  const open = areas.filter(({ items }) => {
    entries += items.length
    return entries <= ENTRIES_OPEN_AT_FIRST
  })
  return new Set(open.map(({ area }) => area))
}

/** Where the product begins for a person: the offers, or the first screen that they may open. */
export function homePath(holder: AccessHolder, words: Dictionary): string {
  const paths = resolveNavigation(holder, words).flatMap(({ items }) => items.map(({ path }) => path))
  return paths.includes(HOME) ? HOME : (paths[0] ?? '/403')
}
