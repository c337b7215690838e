// Costs: what each partner's stream cost in each country on each day, and what came of it; any number opens what it is made of.
import { COST_METRICS } from '@tributary/contract/reports/choices'
import { isFormulaKey } from '@tributary/contract/reports/column-name'
import type { CostAnswer, CostRow } from '@tributary/contract/reports/kinds'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { askedFormulas, useFreshFormulas } from '../../reports/columns/use-formulas.ts'
import { type DrillTarget, openingOf } from '../../reports/drill/drill-target.ts'
import { FlatTable } from '../../reports/flat/flat-table.tsx'
import { PlainFrame, usePlainColumns } from '../../reports/flat/plain-frame.tsx'
import { PlainPager } from '../../reports/flat/plain-pager.tsx'
import { narrowingOf, storePlain, usePlainState } from '../../reports/flat/plain-state.ts'
import { hasRows, usePlainReport } from '../../reports/flat/use-plain-report.ts'
import { textColumn } from '../../reports/table/pivot-column.ts'
import { plainNumberColumns } from '../../reports/table/report-columns.ts'

const SHAPE = { store: storePlain('costs'), preset: 'current_month', choices: {} } as const
const PAGE = 500
const isAnswer = (value: unknown): value is CostAnswer => hasRows(value) && 'formulas' in value
const idOf = ({ partner, stream, country, day }: CostRow) => [partner.id, stream.id, country.id, day.id].join(' ')
const NOBODY = { id: 0, title: '' }

export function CostsScreen() {
  const { t } = useTranslation()
  const words = useReportWords()
  const role = useProfile().role.kind
  const control = usePlainState(SHAPE)
  const { state, change } = control
  const [drill, setDrill] = useState<DrillTarget | null>(null)
  const filter = { dateFrom: state.from, dateTo: state.to, ...narrowingOf(state.filters) }
  const asked = askedFormulas(state.columns)
  const { known, shown, formulas } = usePlainColumns(COST_METRICS, state.columns)
  // An address may name a column of one's own that is gone.
  const order = state.sort && (state.sort.by === 'group' || known.includes(state.sort.by)) ? { sort: state.sort } : {}
  const load = usePlainReport({
    report: 'generalReport',
    path: 'cost_report',
    request: { filter, pagination: { page: state.page, limit: PAGE }, ...order, formulas: asked },
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
  const open = (row: CostRow, key: string) => {
    const { partner, stream, country, day, m } = row
    const opening = openingOf(key, m, formulas)
    if (opening === null) return
    const groups = partner === NOBODY ? [] : [partner, stream, country, day]
    setDrill({
      report: 'cost_report',
      request: { filter: load.asked.filter },
      place: { path: groups.map(({ id }) => id) },
      ...opening,
      titles: groups.map(({ title }) => title),
    })
  }
  return (
    <PlainFrame
      title={t(($) => $.screens['costs-report'].title)}
      subtitle={t(($) => $.screens['costs-report'].subtitle)}
      role={role}
      control={control}
      labels={{}}
      load={load}
      rows={answer ? answer.items : null}
      fileColumns={shown}
      columns={{ known, total: answer?.total }}
      drill={drill}
      onDrill={setDrill}
    >
      {answer ? (
        <>
          <FlatTable<CostRow>
            label={t(($) => $.screens['costs-report'].title)}
            rows={answer.rows}
            idOf={idOf}
            titleLabel={words.dimensions.partner}
            titleOf={({ partner }) => partner.title}
            columns={[
              textColumn('stream', words.dimensions.stream, ({ stream }) => stream.title),
              textColumn('country', words.dimensions.country, ({ country }) => country.title),
              textColumn('day', words.dimensions.day, ({ day }) => day.title),
              ...plainNumberColumns<CostRow>(shown, formulas, { words, currency: answer.currency }),
            ]}
            total={{ partner: NOBODY, stream: NOBODY, country: NOBODY, day: NOBODY, m: answer.total }}
            sort={state.sort}
            onSort={(key) => {
              const by = COST_METRICS.find((name) => name === key) ?? (isFormulaKey(key) ? key : 'group')
              change({ sort: { by, desc: state.sort?.by === by ? !state.sort.desc : by !== 'group' } })
            }}
            onOpen={open}
            isStale={load.isStale}
          />
          <PlainPager pagination={answer.pagination} onPage={(page) => change({ page })} />
        </>
      ) : null}
    </PlainFrame>
  )
}
