// Costs: the spend of each partner's stream per country and day, and its results.
import { COST_METRICS } from '@tributary/contract/reports/choices'
import type { CostRow } from '@tributary/contract/reports/kinds'
import { defineFlatReport } from '../../reports/flat/flat-report.tsx'
import { textColumn } from '../../reports/table/pivot-column.ts'

export const CostsScreen = defineFlatReport<CostRow>({
  screen: 'costs-report',
  path: 'cost_report',
  store: 'costs',
  metrics: COST_METRICS,
  pageSize: 500,
  title: 'partner',
  titleOf: ({ partner }) => partner.title,
  textColumns: ({ dimensions }) => [
    textColumn('stream', dimensions.stream, ({ stream }) => stream.title),
    textColumn('country', dimensions.country, ({ country }) => country.title),
    textColumn('day', dimensions.day, ({ day }) => day.title),
  ],
  groupsOf: ({ partner, stream, country, day }) => [partner, stream, country, day],
})
