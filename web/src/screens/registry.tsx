// Registers handwritten screens; lists and forms of entities are generic. Only the routes of the app read it.
import { ADMIN_ONLY, leadersOr, type Requirement, staffLeadersOr } from '@tributary/contract/access'
import type { GeneralReportName } from '@tributary/contract/reports/choices'
import type { CohortReportName } from '@tributary/contract/reports/cohort-choices'
import { REPORT_SCREENS } from '@tributary/contract/reports/screen-address'
import type { ComponentType } from 'react'

export interface Screen {
  /** The stem of its folder, and its key in the dictionary's `screens`. */
  readonly name: string
  readonly path: string
  readonly access: Requirement
  readonly load: () => Promise<ComponentType>
  /** True for a screen that needs no words but those of the first one. */
  readonly usesFirstWords?: true
}

const generalReport = (kind: GeneralReportName) => async (): Promise<ComponentType> => {
  const { GeneralReportScreen } = await import('./general-report/general-report-screen.tsx')
  return () => <GeneralReportScreen kind={kind} />
}

const cohorts = (name: CohortReportName) => async (): Promise<ComponentType> => {
  const { CohortScreen } = await import('./cohort-analysis/cohort-screen.tsx')
  return () => <CohortScreen name={name} />
}

export const SCREENS = [
  {
    name: 'general-report',
    path: REPORT_SCREENS.general_report,
    access: leadersOr('general_report'),
    load: generalReport('general_report'),
    usesFirstWords: true,
  },
  {
    name: 'general-report-old',
    path: REPORT_SCREENS.general_report_old,
    access: leadersOr('general_report'),
    load: generalReport('general_report_old'),
    usesFirstWords: true,
  },
  {
    name: 'general-report-click',
    path: REPORT_SCREENS.general_report_click,
    access: leadersOr('general_report'),
    load: generalReport('general_report_click'),
    usesFirstWords: true,
  },
  {
    name: 'general-report-click-old',
    path: REPORT_SCREENS.general_report_click_old,
    access: leadersOr('general_report'),
    load: generalReport('general_report_click_old'),
    usesFirstWords: true,
  },
  {
    name: 'cohort-analysis',
    path: REPORT_SCREENS.cohort_analysis,
    access: leadersOr('cohort_analysis_view'),
    load: cohorts('cohort_analysis'),
  },
  {
    name: 'cohort-analysis-old',
    path: REPORT_SCREENS.cohort_analysis_old,
    access: leadersOr('cohort_analysis_view'),
    load: cohorts('cohort_analysis_old'),
  },
  {
    name: 'cohort-analysis-cumulative',
    path: REPORT_SCREENS.cohort_analysis_cumulative,
    access: leadersOr('cohort_analysis_cumulative_view'),
    load: cohorts('cohort_analysis_cumulative'),
  },
  {
    name: 'costs-report',
    path: REPORT_SCREENS.cost_report,
    access: 'everyone',
    load: async () => (await import('./costs-report/costs-screen.tsx')).CostsScreen,
  },
  {
    name: 'partners-report',
    path: REPORT_SCREENS['partner_report/new_deposit'],
    access: leadersOr('partner_report'),
    load: async () => (await import('./partners-report/partners-screen.tsx')).PartnersScreen,
  },
  {
    name: 'new-streams',
    path: REPORT_SCREENS.new_streams,
    access: leadersOr('new_streams'),
    load: async () => (await import('./new-streams/new-streams-screen.tsx')).NewStreamsScreen,
  },
  {
    name: 'budget-plan',
    path: REPORT_SCREENS['budget_report/report'],
    access: leadersOr('budget_report_view'),
    load: async () => (await import('./budget-plan/budget-screen.tsx')).BudgetScreen,
  },
  {
    name: 'dashboard',
    path: REPORT_SCREENS.dashboard,
    access: leadersOr('dashboard'),
    load: async () => (await import('./dashboard/dashboard-screen.tsx')).DashboardScreen,
  },
  {
    name: 'account',
    path: '/account',
    access: 'everyone',
    load: async () => (await import('./account/account-screen.tsx')).AccountScreen,
  },
  {
    name: 'settings',
    path: '/settings',
    access: ADMIN_ONLY,
    load: async () => (await import('./settings/settings-screen.tsx')).SettingsScreen,
  },
  {
    name: 'status',
    path: '/status',
    access: ADMIN_ONLY,
    load: async () => (await import('./status/status-screen.tsx')).StatusScreen,
  },
  {
    name: 'trace',
    path: '/trace',
    access: 'everyone',
    load: async () => (await import('./trace/trace-screen.tsx')).TraceScreen,
  },
  {
    name: 'finance-overview',
    path: '/finance-overview',
    access: staffLeadersOr('payment_invoice_view'),
    load: async () => (await import('./finance/overview-screen.tsx')).OverviewScreen,
  },
  {
    name: 'period-closes',
    path: '/period-closes',
    access: staffLeadersOr('payment_invoice_view'),
    load: async () => (await import('./finance/closes-screen.tsx')).ClosesScreen,
  },
  {
    name: 'partner-ledger',
    path: '/partner-ledger',
    access: { roles: ['ADMIN', 'TEAM_LEADER', 'PARTNER'], permissions: ['payment_invoice_view'] },
    load: async () => (await import('./finance/partner-ledger-screen.tsx')).PartnerLedgerScreen,
  },
  {
    name: 'own-billing',
    path: '/billing',
    access: { roles: ['PARTNER'] },
    load: async () => (await import('./partner/own-billing-screen.tsx')).OwnBillingScreen,
  },
  {
    name: 'invoice-preview',
    path: '/payment-invoices/create',
    access: staffLeadersOr('payment_invoice_view'),
    load: async () => (await import('./statement/preview-screen.tsx')).PreviewScreen,
  },
] as const satisfies readonly Screen[]
