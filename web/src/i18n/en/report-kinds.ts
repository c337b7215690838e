// English words of cohorts, costs, new deposits, new streams and the dashboard.
import type { CohortBasis } from '@tributary/contract/reports/cohort-choices'

export const reportKindsEn = {
  kinds: {
    unit: 'Period',
    cohorts_one: '{{count}} cohort',
    cohorts_other: '{{count}} cohorts',
    cohort: 'Cohort',
    cohortBy: 'By',
    bases: { registration: 'Registration', first_deposit: 'First deposit' } satisfies Record<CohortBasis, string>,
    average: 'Average of whole periods',
    cohortLegend: 'A dash: the period has not begun · hatched: it is not over · a green edge: paid back',
    firstDay: 'First activity',
    chart: 'Chart',
    table: 'Table',
    efficiency: 'Efficiency',
    topPartners: 'Top 5 partners',
    topCountries: 'Top 5 countries',
    all: 'All',
  },
} as const
