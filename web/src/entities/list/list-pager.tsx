// The pager of a list: range, page size and pages.
import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react'
import { PAGE_SIZES, PAGER_PAGES } from '@tributary/contract/limits'
import type { Pagination } from '@tributary/contract/list-query'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/number-format.ts'
import classes from './list-pager.module.css'

/** Page numbers of the pager: a window around the current page. */
export function pagerPages(page: number, last: number, size: number = PAGER_PAGES): number[] {
  const count = Math.min(size, Math.max(1, last))
  const first = Math.max(1, Math.min(page - Math.floor(count / 2), last - count + 1))
  return Array.from({ length: count }, (_, index) => first + index)
}

interface ListPagerProps {
  pagination: Pagination
  onPage: (page: number) => void
  onSize: (limit: number) => void
}

/** Range, page size and pages. `onPage` and `onSize` receive the new number. */
export function ListPager({ pagination, onPage, onSize }: ListPagerProps) {
  const { t } = useTranslation()
  const { page, limit, total } = pagination
  const from = total === 0 ? 0 : (page - 1) * limit + 1
  const { maxPageNumber: last } = pagination
  return (
    <footer className={classes.pager}>
      <span className={classes.range} aria-live="polite">
        {t(($) => $.list.range, {
          from: formatCount(from) ?? '',
          to: formatCount(Math.min(page * limit, total)) ?? '',
          total: `${pagination.approximate ? '≈ ' : ''}${formatCount(total) ?? ''}`,
        })}
      </span>
      <NativeSelect
        size="xs"
        aria-label={t(($) => $.list.pageSize)}
        data={PAGE_SIZES.map(String)}
        value={String(limit)}
        onChange={(event) => onSize(Number(event.currentTarget.value))}
      />
      {page === last && total > last * limit ? <span>{t(($) => $.list.lastRows)}</span> : null}
      <div className={classes.spacer} />
      <PageButtons pagination={pagination} onPage={onPage} />
    </footer>
  )
}

function PageButtons({ pagination, onPage }: Pick<ListPagerProps, 'pagination' | 'onPage'>) {
  const { t } = useTranslation()
  const { page, maxPageNumber: last } = pagination
  if (last <= 1) return null
  const step = (to: number, label: string, Icon: typeof IconChevronLeft) => (
    <ActionIcon aria-label={label} disabled={to < 1 || to > last || to === page} onClick={() => onPage(to)}>
      <Icon size={16} />
    </ActionIcon>
  )
  return (
    <nav className={classes.pages} aria-label={t(($) => $.engine.pages)}>
      {step(
        1,
        t(($) => $.list.firstPage),
        IconChevronsLeft,
      )}
      {step(
        page - 1,
        t(($) => $.list.previousPage),
        IconChevronLeft,
      )}
      {pagerPages(page, last).map((number) => (
        <button
          type="button"
          key={number}
          className={classes.page}
          aria-current={number === page ? 'page' : undefined}
          aria-label={t(($) => $.list.page, { page: number })}
          onClick={() => onPage(number)}
        >
          {number}
        </button>
      ))}
      {step(
        page + 1,
        t(($) => $.list.nextPage),
        IconChevronRight,
      )}
      {step(
        last,
        t(($) => $.list.lastPage),
        IconChevronsRight,
      )}
    </nav>
  )
}
