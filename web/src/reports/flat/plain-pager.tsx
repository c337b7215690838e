// Under a table without levels: how much there is, pages, and a word on how to read it.
import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { Pagination } from '@tributary/contract/list-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { formatCount } from '../../lib/number-format.ts'
import classes from '../report.module.css'

interface PlainPagerProps {
  pagination: Pagination
  onPage: (page: number) => void
  /** What is counted and paged, where it is not the rows that are seen. */
  of?: 'cohorts'
  children?: ReactNode
}

export function PlainPager({
  pagination: { page, total, maxPageNumber: last },
  onPage,
  of,
  children,
}: PlainPagerProps) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const counted =
    of === 'cohorts' ? t(($) => $.kinds.cohorts, { count: total }) : t(($) => $.table.rows, { count: total })
  return (
    <footer className={classes.pager}>
      <span>{counted.replace(/\d+/, formatCount(total) ?? '')}</span>
      <span className={classes.spacer}>{children}</span>
      {last > 1 ? (
        <nav className={classes.pages}>
          <ActionIcon
            size={28}
            disabled={page <= 1}
            aria-label={words.table.previousPage}
            onClick={() => onPage(page - 1)}
          >
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <span>{t(($) => $.table.page, { page, last })}</span>
          <ActionIcon
            size={28}
            disabled={page >= last}
            aria-label={words.table.nextPage}
            onClick={() => onPage(page + 1)}
          >
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
        </nav>
      ) : null}
    </footer>
  )
}
