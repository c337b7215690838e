// English words of reports other than the general ones.
import type { CohortBasis } from '@tributary/contract/reports/cohort-choices'

export const kindsEn = {
  unit: 'Period',
  cohorts_one: '{{count}} cohort',
  cohorts_other: '{{count}} cohorts',
  cohort: 'Cohort',
  cohortBy: 'By',
  bases: { registration: 'Registration', first_deposit: 'First deposit' } satisfies Record<CohortBasis, string>,
  average: 'Average of whole periods',
  cohortLegend: 'A dash: the period has not begun · hatched: it is not over · a green edge: paid back',
  firstDay: 'First activity',
} as const
