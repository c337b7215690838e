// Streams whose first activity lies in the period, with their results.
import type { NewStreamRow } from '@tributary/contract/reports/kinds'
import { METRIC_NAMES } from '@tributary/contract/reports/traffic'
import { currentWords } from '../../i18n/language.ts'
import { formatDay } from '../../lib/date-format.ts'
import { defineFlatReport } from '../../reports/flat/flat-report.tsx'
import { textColumn } from '../../reports/table/pivot-column.ts'

export const NewStreamsScreen = defineFlatReport<NewStreamRow>({
  screen: 'new-streams',
  path: 'new_streams',
  store: 'new-streams',
  metrics: METRIC_NAMES,
  title: 'stream',
  titleOf: ({ stream }) => stream.title,
  textColumns: ({ dimensions }) => [
    textColumn('first', currentWords().kinds.firstDay, ({ first_day }) => formatDay(first_day)),
    textColumn('partner', dimensions.partner, ({ partner }) => partner.title),
    textColumn('manager', dimensions.manager, ({ manager }) => manager.title),
  ],
  groupsOf: ({ manager, partner, stream }) => [manager, partner, stream],
})
