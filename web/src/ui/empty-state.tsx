// An empty screen explains what will appear there and offers the first step.
import { IconInbox } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './notice.module.css'

interface EmptyStateProps {
  title: string
  text?: string | undefined
  icon?: ReactNode
  children?: ReactNode
}

export function EmptyState({ title, text, icon, children }: EmptyStateProps) {
  return (
    <div className={classes.box}>
      <span className={classes.icon}>{icon ?? <IconInbox size={22} aria-hidden />}</span>
      <h2 className={classes.title}>{title}</h2>
      {text ? <p className={classes.text}>{text}</p> : null}
      {children ? <div className={classes.actions}>{children}</div> : null}
    </div>
  )
}
