// States of a panel without rows: one that loads, a failed load, and an empty list that offers the first step.

import { Button, Skeleton } from '@mantine/core'
import { IconAlertTriangle, IconInbox } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../lib/form-errors.ts'
import classes from './notice.module.css'

/** Bars in place of lines. */
export function LoadingState({ lines }: { lines: number }) {
  const { t } = useTranslation()
  return (
    <div role="status" aria-busy aria-label={t(($) => $.frame.loading)}>
      {Array.from({ length: lines }, (_, line) => `line-${line}`).map((line) => (
        <Skeleton key={line} height={14} my={16} radius="xl" />
      ))}
    </div>
  )
}

interface FailedStateProps {
  error: unknown
  onRetry?: (() => void) | undefined
}

/** A failed load: the message, the request id, and a retry button. */
export function FailedState({ error, onRetry }: FailedStateProps) {
  const { t } = useTranslation()
  const requestId =
    error instanceof Error && 'requestId' in error && typeof error.requestId === 'string' ? error.requestId : null
  return (
    <div className={classes.box} role="alert">
      <span className={`${classes.icon} ${classes.failed}`}>
        <IconAlertTriangle size={22} aria-hidden />
      </span>
      <h2 className={classes.title}>{t(($) => $.errors.loadFailed)}</h2>
      <p className={classes.text}>{error instanceof Error ? failureText(error) : t(($) => $.errors.request)}</p>
      {requestId ? <span className={classes.id}>{t(($) => $.errors.requestId, { id: requestId })}</span> : null}
      {onRetry ? (
        <div className={classes.actions}>
          <Button variant="default" onClick={onRetry}>
            {t(($) => $.errors.retry)}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

interface EmptyStateProps {
  title: string
  text?: string | undefined
  icon?: ReactNode
  /** The state fills the page, so its title is the page's heading. */
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
