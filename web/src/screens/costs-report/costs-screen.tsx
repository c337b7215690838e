// Costs: what each partner's stream cost in each country on each day, and what came of it; the whole of it as a file.

import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { COST_METRICS } from '@tributary/contract/reports/choices'
import type { CostAnswer, CostRow } from '@tributary/contract/reports/kinds'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useProfile } from '../../data/profile.ts'
import { useReportWords } from '../../i18n/report-words.ts'
import { FlatTable } from '../../reports/flat-table.tsx'
import { numberColumn } from '../../reports/number-column.ts'
import { textColumn } from '../../reports/pivot-column.ts'
import { PlainFrame } from '../../reports/plain-frame.tsx'
import { PlainPager } from '../../reports/plain-pager.tsx'
import { narrowingOf, storePlain, usePlainState } from '../../reports/plain-state.ts'
import { saveAnswer } from '../../reports/save-answer.ts'
import { hasRows, usePlainReport } from '../../reports/use-plain-report.ts'

const SHAPE = { store: storePlain('costs'), preset: 'current_month', choices: {} } as const
const PAGE = 500
const isAnswer = (value: unknown): value is CostAnswer => hasRows(value)
const idOf = ({ partner, stream, country, day }: CostRow) => [partner.id, stream.id, country.id, day.id].join(' ')
const NOBODY = { id: 0, title: '' }

export function CostsScreen() {
  const { t } = useTranslation()
  const words = useReportWords()
  const role = useProfile().role.kind
  const control = usePlainState(SHAPE)
  const { state, change } = control
  const filter = { dateFrom: state.from, dateTo: state.to, ...narrowingOf(state.filters) }
  const order = state.sort ? { sort: state.sort } : {}
  const request = { filter, pagination: { page: state.page, limit: PAGE }, ...order }
  const load = usePlainReport({
    report: 'generalReport',
    path: 'cost_report',
    request,
    isAnswer,
    countEntries: ({ rows }) => rows.length,
  })
  const file = useMutation({
    mutationFn: async () =>
      saveAnswer(await http.open('POST', 'player_report/cost_report', { filter, ...order }, { isEndless: true })),
  })
  const { answer } = load
  return (
    <PlainFrame
      title={t(($) => $.screens['costs-report'].title)}
      subtitle={t(($) => $.screens['costs-report'].subtitle)}
      role={role}
      control={control}
      labels={{}}
      actions={
        <Button
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          loading={file.isPending}
          onClick={() => file.mutate()}
        >
          xlsx
        </Button>
      }
      error={load.error ?? file.error}
      onRetry={() => {
        file.reset()
        load.refetch()
      }}
      rows={answer ? answer.items : null}
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
              ...COST_METRICS.map((name) =>
                numberColumn<CostRow>(name, { words, currency: answer.currency }, ({ m }) => m),
              ),
            ]}
            total={{ partner: NOBODY, stream: NOBODY, country: NOBODY, day: NOBODY, m: answer.total }}
            sort={state.sort}
            onSort={(key) => {
              const by = COST_METRICS.find((name) => name === key) ?? 'group'
              change({ sort: { by, desc: state.sort?.by === by ? !state.sort.desc : by !== 'group' } })
            }}
            isStale={load.isStale}
          />
          <PlainPager pagination={answer.pagination} onPage={(page) => change({ page })} />
        </>
      ) : null}
    </PlainFrame>
  )
}
