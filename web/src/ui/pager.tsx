// Pages of a table: the current page and buttons to the next and previous.
import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface PageStepsProps {
  page: number
  last: number
  labels: { readonly previousPage: string; readonly nextPage: string }
  onPage: (page: number) => void
  /** Shown between the two buttons. */
  children?: ReactNode
}

export function PageSteps({ page, last, labels, onPage, children }: PageStepsProps) {
  const step = (to: number, label: string, Icon: typeof IconChevronLeft) => (
    <ActionIcon size={28} disabled={to < 1 || to > last} aria-label={label} onClick={() => onPage(to)}>
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
  return (
    <>
      {step(page - 1, labels.previousPage, IconChevronLeft)}
      {children}
      {step(page + 1, labels.nextPage, IconChevronRight)}
    </>
  )
}
