// English titles of the report screens.
export const reportScreensEn = {
  'general-report': {
    title: 'General report',
    subtitle: 'Clicks, registrations, deposits and money, four levels deep',
  },
  'general-report-old': {
    title: 'General report, flat',
    subtitle: 'The same numbers in one flat table',
  },
  'general-report-click': {
    title: 'Report by click',
    subtitle: 'Player activity by the day and dimensions of the click that brought them',
  },
  'general-report-click-old': {
    title: 'Report by click, flat',
    subtitle: 'The report by click in one flat table',
  },
  'cohort-analysis': {
    title: 'Cohorts',
    subtitle: 'What the players of each period brought in each period since',
  },
  'cohort-analysis-old': {
    title: 'Cohorts, flat',
    subtitle: 'The cohorts as one flat table, a row for each period',
  },
  'cohort-analysis-cumulative': {
    title: 'Cohorts, cumulative',
    subtitle: 'What the players of each period brought in total by each period since',
  },
  'costs-report': {
    title: 'Costs',
    subtitle: 'Spend and results by partner, stream, country and day',
  },
  'partners-report': {
    title: 'Partner report',
    subtitle: 'First deposits by day, week or month',
  },
  'new-streams': {
    title: 'New streams',
    subtitle: 'Streams with first activity in the period, and their results since',
  },
  'budget-plan': {
    title: 'Budget plan',
    subtitle: 'Planned, actual and predicted spend of a month',
  },
  dashboard: {
    title: 'Dashboard',
    subtitle: 'How things are going, and what needs attention',
  },
} as const
