// An empty screen explains what will appear there and offers the first step.
import { IconInbox } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './notice.module.css'

interface EmptyStateProps {
  title: string
  text?: string | undefined
  icon?: ReactNode
  /** The state is the whole page: its words are the page's heading. */
  isPage?: boolean | undefined
  children?: ReactNode
}

export function EmptyState({ title, text, icon, isPage = false, children }: EmptyStateProps) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className={classes.box}>
      <span className={classes.icon}>{icon ?? <IconInbox size={22} aria-hidden />}</span>
      <Heading className={classes.title}>{title}</Heading>
      {text ? <p className={classes.text}>{text}</p> : null}
      {children ? <div className={classes.actions}>{children}</div> : null}
    </div>
  )
}
