// Streams whose first activity lies in the period, with their managers and partners, and what they have brought since.
import type { NewStreamRow, NewStreamsAnswer } from '@tributary/contract/reports/kinds'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { formatDay } from '../../lib/date-format.ts'
import { askedFormulas, useFreshFormulas } from '../../reports/columns/use-formulas.ts'
import { type DrillTarget, openingOf } from '../../reports/drill/drill-target.ts'
import { FlatTable } from '../../reports/flat/flat-table.tsx'
import { PlainFrame, usePlainColumns } from '../../reports/flat/plain-frame.tsx'
import { narrowingOf, storePlain, usePlainState } from '../../reports/flat/plain-state.ts'
import { hasRows, usePlainReport } from '../../reports/flat/use-plain-report.ts'
import { textColumn } from '../../reports/table/pivot-column.ts'
import { metricsFor, plainNumberColumns } from '../../reports/table/report-columns.ts'

const SHAPE = { store: storePlain('new-streams'), preset: 'current_month', choices: {} } as const
const isAnswer = (value: unknown): value is NewStreamsAnswer => hasRows(value) && 'formulas' in value
const idOf = ({ stream, partner, manager }: NewStreamRow) => [stream.id, partner.id, manager.id].join(' ')
const NOBODY = { id: 0, title: '' }

export function NewStreamsScreen() {
  const { t } = useTranslation()
  const words = useReportWords()
  const role = useProfile().role.kind
  const control = usePlainState(SHAPE)
  const { from, to, filters } = control.state
  const asked = askedFormulas(control.state.columns)
  const load = usePlainReport({
    report: 'generalReport',
    path: 'new_streams',
    request: { filter: { dateFrom: from, dateTo: to, ...narrowingOf(filters) }, formulas: asked },
    isAnswer,
    countEntries: ({ rows }) => rows.length,
  })
  useFreshFormulas({
    asked,
    answered: load.isStale ? undefined : load.answer?.formulas,
    isFetching: load.isFetching,
    refetch: load.refetch,
  })
  const { answer } = load
  const { known, shown, formulas } = usePlainColumns(metricsFor(role), control.state.columns)
  const [drill, setDrill] = useState<DrillTarget | null>(null)
  const open = ({ manager, partner, stream, m }: NewStreamRow, key: string) => {
    const opening = openingOf(key, m, formulas)
    if (opening === null) return
    const groups = stream === NOBODY ? [] : [manager, partner, stream]
    setDrill({
      report: 'new_streams',
      request: { filter: load.asked.filter },
      place: { path: groups.map(({ id }) => id) },
      ...opening,
      titles: groups.map(({ title }) => title),
    })
  }
  return (
    <PlainFrame
      title={t(($) => $.screens['new-streams'].title)}
      subtitle={t(($) => $.screens['new-streams'].subtitle)}
      role={role}
      control={control}
      labels={{}}
      load={load}
      rows={answer ? answer.rows.length : null}
      fileColumns={shown}
      columns={{ known, total: answer?.total }}
      drill={drill}
      onDrill={setDrill}
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
            ...plainNumberColumns<NewStreamRow>(shown, formulas, { words, currency: answer.currency }),
          ]}
          total={{ manager: NOBODY, partner: NOBODY, stream: NOBODY, first_day: '', m: answer.total }}
          onOpen={open}
          isStale={load.isStale}
        />
      ) : null}
    </PlainFrame>
  )
}
