// English titles of the report screens.
export const reportScreensEn = {
  'general-report': {
    title: 'General report',
    subtitle: 'Clicks, registrations, deposits, income and spend, four levels deep',
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
} as const
