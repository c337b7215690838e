// English titles of the report screens.
export const reportScreensEn = {
  'general-report': {
    title: 'General report',
    subtitle: 'Clicks, registrations, deposits and money, four levels deep',
  },
  'general-report-old': {
    title: 'General report, flat',
    subtitle: 'The same numbers as one flat table, read from raw facts',
  },
  'general-report-click': {
    title: 'Report by click',
    subtitle: 'What players did, on the day and under the dimensions of the click that brought them',
  },
  'general-report-click-old': {
    title: 'Report by click, flat',
    subtitle: 'The report by click as one flat table, read from raw facts',
  },
  'cohort-analysis': {
    title: 'Cohorts',
    subtitle: 'What players of each period brought in every period since',
  },
  'cohort-analysis-old': {
    title: 'Cohorts, flat',
    subtitle: 'The cohorts as one flat table, a row for each period',
  },
  'cohort-analysis-cumulative': {
    title: 'Cohorts, cumulative',
    subtitle: 'What players of each period have brought up to every period since',
  },
  'costs-report': {
    title: 'Costs',
    subtitle: 'Spend by partner, stream, country and day, and what came of it',
  },
  'partners-report': {
    title: 'Partners report',
    subtitle: 'New deposits by day, week or month',
  },
  'new-streams': {
    title: 'New streams',
    subtitle: 'Streams that came alive in the period, and what they have brought since',
  },
  'budget-plan': {
    title: 'Budget plan',
    subtitle: 'What may be spent in a month, what is spent, and what is to be expected',
  },
  dashboard: {
    title: 'Dashboard',
    subtitle: 'How well it all works, from the start of the year',
  },
} as const
