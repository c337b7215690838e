// Under the table: how much there is, and the pages of first-level rows.
import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { PAGE_SIZES } from '@tributary/contract/limits'
import type { GeneralReportAnswer } from '@tributary/contract/reports/general'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { formatCount } from '../../lib/number-format.ts'
import classes from '../../reports/report.module.css'
import { ChoiceMenu } from '../../reports/table/choice-menu.tsx'
import type { ReportControl } from './use-report-state.ts'

export function ReportPager({ control, answer }: { control: ReportControl; answer: GeneralReportAnswer }) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const { state, change } = control
  // Of the answer: asking for a page past the last one gives the last.
  const { page, maxPageNumber: last } = answer.pagination
  const sizes = PAGE_SIZES.map((size) => ({ name: String(size), label: String(size) }))
  return (
    <footer className={classes.pager}>
      <span>{t(($) => $.table.rows, { count: answer.items }).replace(/\d+/, formatCount(answer.items) ?? '')}</span>
      <span>
        {t(($) => $.table.players, { count: answer.player_count }).replace(
          /\d+/,
          formatCount(answer.player_count) ?? '',
        )}
      </span>
      <span className={classes.spacer} />
      <ChoiceMenu
        isPlain
        label={words.table.pageSize}
        value={String(state.limit)}
        sections={[{ title: null, options: sizes }]}
        onChoose={(size) => change({ limit: PAGE_SIZES.find((known) => String(known) === size) ?? state.limit })}
      />
      {last > 1 ? (
        <nav className={classes.pages}>
          <ActionIcon
            size={28}
            disabled={page <= 1}
            aria-label={words.table.previousPage}
            onClick={() => change({ page: page - 1 })}
          >
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <span>{t(($) => $.table.page, { page, last })}</span>
          <ActionIcon
            size={28}
            disabled={page >= last}
            aria-label={words.table.nextPage}
            onClick={() => change({ page: page + 1 })}
          >
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
        </nav>
      ) : null}
    </footer>
  )
}
