// The frame of a screen: title and subtitle left, actions right, both sticky. With `fill` the body takes the remaining height.
import { type ReactNode, useEffect } from 'react'
import { AddressLoss } from './address-loss.tsx'
import { GuideButton } from './guide/guide-button.tsx'
import { focusHeading } from './heading-focus.ts'
import classes from './page.module.css'
import { nameTab } from './tab-title.ts'

/** Shorter names are never cut. */
const LONG = 40

interface PageProps {
  title: ReactNode
  subtitle?: ReactNode
  /** Shown beside the title: a state badge, a counter. */
  mark?: ReactNode
  actions?: ReactNode
  /** For tables: the table scrolls, not the page. */
  fill?: boolean | undefined
  /** What the page leaves out of its address, in words of the screen. */
  leftOut?: readonly string[] | undefined
  children: ReactNode
}

export function Page({ title, subtitle, mark, actions, fill = false, leftOut = [], children }: PageProps) {
  // The tab is outside React.
  useEffect(() => {
    if (typeof title === 'string') nameTab(title)
  }, [title])
  // A page that loads its record is drawn anew, and would lose the focus of its heading.
  useEffect(focusHeading, [])
  return (
    <section className={fill ? `${classes.page} ${classes.fill}` : classes.page}>
      <header className={classes.header}>
        <div className={classes.heading}>
          <h1 className={classes.title}>
            {/* A long name is cut; a touch shows all of it, as the tooltip does. */}
            <span
              className={classes.name}
              tabIndex={-1}
              title={typeof title === 'string' && title.length > LONG ? title : undefined}
            >
              {title}
            </span>
            {mark}
          </h1>
          <GuideButton />
        </div>
        {subtitle ? <p className={classes.subtitle}>{subtitle}</p> : null}
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </header>
      <AddressLoss names={leftOut} />
      <div className={classes.body}>{children}</div>
    </section>
  )
}
