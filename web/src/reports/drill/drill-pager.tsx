// Pages of the rows behind a number.
import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { Pagination } from '@tributary/contract/list-query'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { formatCount } from '../../lib/number-format.ts'
import classes from './drill.module.css'

export function DrillPager({ pagination, onPage }: { pagination: Pagination; onPage: (page: number) => void }) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const { page, limit, total, maxPageNumber } = pagination
  const from = formatCount((page - 1) * limit + 1) ?? ''
  const to = formatCount(Math.min(page * limit, total)) ?? ''
  return (
    <footer className={classes.pager}>
      <span>{t(($) => $.drill.of, { from, to, total: formatCount(total) ?? '' })}</span>
      <ActionIcon size={28} disabled={page <= 1} aria-label={words.table.previousPage} onClick={() => onPage(page - 1)}>
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        size={28}
        disabled={page >= maxPageNumber}
        aria-label={words.table.nextPage}
        onClick={() => onPage(page + 1)}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </footer>
  )
}
