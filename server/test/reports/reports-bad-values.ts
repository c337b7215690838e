// Values that no field of a report's filter takes, by field.
import { FILTER_VALUES_CAP } from '@tributary/contract/limits'
import { REPORT_FILTER_NAMES, reportFilterOf } from '@tributary/contract/reports/choices'

const DAYS: readonly unknown[] = [
  '2026-02-30',
  '01.06.2026',
  '',
  20260601,
  null,
  true,
  ['2026-06-01'],
  { like: '2026' },
]
const REFERENCES: readonly unknown[] = [
  '1',
  1,
  -1,
  [-1],
  [1.5],
  ['1'],
  [null],
  { in: 1 },
  { gt: 1 },
  { in: [1], nin: [2] },
  true,
]
const TEXTS: readonly unknown[] = [
  7,
  true,
  [7],
  [null],
  { like: 7 },
  { like: ['a'] },
  { gt: 'a' },
  { in: 'a' },
  'x'.repeat(256),
]
const PERIODS: readonly unknown[] = [
  '2026-06-01',
  '2026-06-02|2026-06-01',
  'a|b',
  7,
  ['2026-06-01|2026-06-02'],
  '2026-06-01|2026-06-02|2026-06-03',
]
const OF_KIND = { references: REFERENCES, texts: TEXTS, period: PERIODS } as const

/** [field, value] of every filter that all reports have, and of the days. */
export const EVERY_FILTER_VALUE: readonly (readonly [string, unknown])[] = [
  ...['dateFrom', 'dateTo'].flatMap((field) => DAYS.map((value) => [field, value] as const)),
  ...REPORT_FILTER_NAMES.flatMap((name) => OF_KIND[reportFilterOf(name).kind].map((value) => [name, value] as const)),
  ['partners', Array.from({ length: FILTER_VALUES_CAP + 1 }, (_, id) => id)],
]
