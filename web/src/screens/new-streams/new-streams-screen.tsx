// Streams whose first activity lies in the period, with their managers and partners, and what they have brought since.
import type { NewStreamRow, NewStreamsAnswer } from '@tributary/contract/reports/kinds'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { useReportWords } from '../../i18n/report-words.ts'
import { formatDay } from '../../lib/date-format.ts'
import { FlatTable } from '../../reports/flat-table.tsx'
import { numberColumn } from '../../reports/number-column.ts'
import { textColumn } from '../../reports/pivot-column.ts'
import { PlainFrame } from '../../reports/plain-frame.tsx'
import { narrowingOf, storePlain, usePlainState } from '../../reports/plain-state.ts'
import { metricsFor } from '../../reports/report-columns.ts'
import { hasRows, usePlainReport } from '../../reports/use-plain-report.ts'

const SHAPE = { store: storePlain('new-streams'), preset: 'current_month', choices: {} } as const
const isAnswer = (value: unknown): value is NewStreamsAnswer => hasRows(value)
const idOf = ({ stream, partner, manager }: NewStreamRow) => [stream.id, partner.id, manager.id].join(' ')
const NOBODY = { id: 0, title: '' }

export function NewStreamsScreen() {
  const { t } = useTranslation()
  const words = useReportWords()
  const role = useProfile().role.kind
  const control = usePlainState(SHAPE)
  const { from, to, filters } = control.state
  const load = usePlainReport({
    report: 'generalReport',
    path: 'new_streams',
    request: { filter: { dateFrom: from, dateTo: to, ...narrowingOf(filters) } },
    isAnswer,
    countEntries: ({ rows }) => rows.length,
  })
  const { answer } = load
  return (
    <PlainFrame
      title={t(($) => $.screens['new-streams'].title)}
      subtitle={t(($) => $.screens['new-streams'].subtitle)}
      role={role}
      control={control}
      labels={{}}
      error={load.error}
      onRetry={load.refetch}
      rows={answer ? answer.rows.length : null}
    >
      {answer ? (
        <FlatTable<NewStreamRow>
          label={t(($) => $.screens['new-streams'].title)}
          rows={answer.rows}
          idOf={idOf}
          titleLabel={words.dimensions.stream}
          titleOf={({ stream }) => stream.title}
          columns={[
            textColumn('first', words.kinds.firstDay, ({ first_day }) => formatDay(first_day)),
            textColumn('partner', words.dimensions.partner, ({ partner }) => partner.title),
            textColumn('manager', words.dimensions.manager, ({ manager }) => manager.title),
            ...metricsFor(role).map((name) =>
              numberColumn<NewStreamRow>(name, { words, currency: answer.currency }, ({ m }) => m),
            ),
          ]}
          total={{ manager: NOBODY, partner: NOBODY, stream: NOBODY, first_day: '', m: answer.total }}
          isStale={load.isStale}
        />
      ) : null}
    </PlainFrame>
  )
}
