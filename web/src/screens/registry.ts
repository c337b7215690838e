// Hand-written screens: what the entity engine does not make. Read only by the app's routes; a screen never imports another.
import { ADMIN_ONLY, leadersOr, type Requirement } from '@tributary/contract/access'
import type { EntityName } from '@tributary/contract/entities/registry'
import { REPORT_SCREENS } from '@tributary/contract/reports/screen-address'
import type { ComponentType } from 'react'
import { openCohorts } from './cohort-analysis/opening.ts'
import { openCosts } from './costs-report/opening.ts'
import { openDashboard } from './dashboard/opening.ts'
import { openGeneralReport } from './general-report/opening.ts'
import { openNewStreams } from './new-streams/opening.ts'
import { openPartnersReport } from './partners-report/opening.ts'
import { openSettings } from './settings/opening.ts'
import { openTrace } from './trace/opening.ts'

export interface Screen {
  /** The stem of its folder, and its key in the dictionary's `screens`. */
  readonly name: string
  readonly path: string
  readonly access: Requirement
  readonly load: () => Promise<{ default: ComponentType }>
}

export const SCREENS = [
  {
    name: 'general-report',
    path: REPORT_SCREENS.general_report,
    access: leadersOr('general_report'),
    load: openGeneralReport('general_report'),
  },
  {
    name: 'general-report-old',
    path: REPORT_SCREENS.general_report_old,
    access: leadersOr('general_report'),
    load: openGeneralReport('general_report_old'),
  },
  {
    name: 'general-report-click',
    path: REPORT_SCREENS.general_report_click,
    access: leadersOr('general_report'),
    load: openGeneralReport('general_report_click'),
  },
  {
    name: 'general-report-click-old',
    path: REPORT_SCREENS.general_report_click_old,
    access: leadersOr('general_report'),
    load: openGeneralReport('general_report_click_old'),
  },
  {
    name: 'cohort-analysis',
    path: REPORT_SCREENS.cohort_analysis,
    access: leadersOr('cohort_analysis_view'),
    load: openCohorts('cohort_analysis'),
  },
  {
    name: 'cohort-analysis-old',
    path: REPORT_SCREENS.cohort_analysis_old,
    access: leadersOr('cohort_analysis_view'),
    load: openCohorts('cohort_analysis_old'),
  },
  {
    name: 'cohort-analysis-cumulative',
    path: REPORT_SCREENS.cohort_analysis_cumulative,
    access: leadersOr('cohort_analysis_cumulative_view'),
    load: openCohorts('cohort_analysis_cumulative'),
  },
  {
    name: 'costs-report',
    path: REPORT_SCREENS.cost_report,
    access: 'everyone',
    load: openCosts,
  },
  {
    name: 'partners-report',
    path: REPORT_SCREENS['partner_report/new_deposit'],
    access: leadersOr('partner_report'),
    load: openPartnersReport,
  },
  {
    name: 'new-streams',
    path: REPORT_SCREENS.new_streams,
    access: leadersOr('new_streams'),
    load: openNewStreams,
  },
  {
    name: 'dashboard',
    path: REPORT_SCREENS.dashboard,
    access: leadersOr('dashboard'),
    load: openDashboard,
  },
  {
    name: 'account',
    path: '/account',
    access: 'everyone',
    load: async () => ({ default: (await import('./account/account-screen.tsx')).AccountScreen }),
  },
  {
    name: 'settings',
    path: '/settings',
    access: ADMIN_ONLY,
    load: openSettings,
  },
  {
    name: 'trace',
    path: '/trace',
    access: 'everyone',
    load: openTrace,
  },
] as const satisfies readonly Screen[]

/** A noun whose list or form is written by hand. A form gets `id`: null when a row is being made. */
export interface EntityScreens {
  readonly list?: () => Promise<{ default: ComponentType }>
  readonly form?: () => Promise<{ default: ComponentType<{ id: number | null }> }>
}

export const ENTITY_SCREENS: Partial<Record<EntityName, EntityScreens>> = {
  audit_log: { list: async () => ({ default: (await import('./audit-log/audit-log-list.tsx')).AuditLogList }) },
  advertiser: {
    form: async () => ({ default: (await import('./advertiser/advertiser-form.tsx')).AdvertiserForm }),
  },
  click: { list: async () => ({ default: (await import('./click/click-list.tsx')).ClickList }) },
  offer: {
    list: async () => ({ default: (await import('./offer/offer-list.tsx')).OfferList }),
    form: async () => ({ default: (await import('./offer/offer-form.tsx')).OfferForm }),
  },
  offer_partner: {
    form: async () => ({ default: (await import('./offer-partner/offer-partner-form.tsx')).OfferPartnerForm }),
  },
  partner: {
    list: async () => ({ default: (await import('./partner/partner-list.tsx')).PartnerList }),
    form: async () => ({ default: (await import('./partner/partner-form.tsx')).PartnerForm }),
  },
  partner_group: {
    form: async () => ({ default: (await import('./partner-group/partner-group-form.tsx')).PartnerGroupForm }),
  },
  player: {
    list: async () => ({ default: (await import('./player/player-list.tsx')).PlayerList }),
    form: async () => ({ default: (await import('./player/player-form.tsx')).PlayerForm }),
  },
  player_report: {
    list: async () => ({ default: (await import('./player-report/player-report-list.tsx')).PlayerReportList }),
  },
  players_report_api: {
    list: async () => ({
      default: (await import('./players-report-api/players-report-api-list.tsx')).PlayersReportApiList,
    }),
  },
  user: { form: async () => ({ default: (await import('./user/user-form.tsx')).UserForm }) },
  user_role: { form: async () => ({ default: (await import('./user-role/user-role-form.tsx')).UserRoleForm }) },
  postback: { list: async () => ({ default: (await import('./postback/postback-list.tsx')).PostbackList }) },
}
