// The box in which a table scrolls, and the class names of the base look. `stale` dims old rows while new ones load.
// Every sticky cell costs a compositing layer per frame, so columns become sticky only after the table is scrolled sideways.
import type { ReactNode, Ref, UIEvent } from 'react'
import classes from './data-table.module.css'

/** `table` on <table>; `number` and `pinned` on th and td; `sort` and `sorted` on a header's button. */
export const tableClasses = {
  table: classes.table ?? '',
  number: classes.number ?? '',
  pinned: classes.pinned ?? '',
  sort: classes.sort ?? '',
  sorted: classes.sorted ?? '',
}

interface TableFrameProps {
  /** Names the table for screen readers. */
  label: string
  stale?: boolean | undefined
  frameRef?: Ref<HTMLDivElement> | undefined
  /** False if the table inside handles the focus itself. */
  isFocusable?: boolean
  /** Lengths in `cqw` inside are hundredths of its width, which its content then does not widen. */
  isContainer?: boolean
  children: ReactNode
}

const markAside = ({ currentTarget }: UIEvent<HTMLElement>) =>
  currentTarget.toggleAttribute('data-aside', currentTarget.scrollLeft > 0)

export function TableFrame({
  label,
  stale = false,
  frameRef,
  isFocusable = true,
  isContainer = false,
  children,
}: TableFrameProps) {
  return (
    <section
      ref={frameRef}
      aria-label={label}
      aria-busy={stale}
      // A box that scrolls must be reachable by keyboard.
      tabIndex={isFocusable ? 0 : -1}
      onScroll={markAside}
      className={[classes.frame, stale && classes.stale, isContainer && classes.container].filter(Boolean).join(' ')}
    >
      {children}
    </section>
  )
}
