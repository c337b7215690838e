// A load that failed: what happened, the request's id, and a way to try again.
import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './notice.module.css'

interface FailedStateProps {
  error: unknown
  onRetry?: (() => void) | undefined
}

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
      <p className={classes.text}>{error instanceof Error ? error.message : t(($) => $.errors.request)}</p>
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
