// Error pages: no access, unknown path, a chunk that failed to load, a screen that threw.
import { Button } from '@mantine/core'
import { IconFileUnknown, IconLock, IconPlugConnectedX } from '@tabler/icons-react'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { HttpError } from '../data/http-error.ts'
import { ChunkFailed } from '../lib/lazy-component.tsx'
import { EmptyState, FailedState } from '../ui/states.tsx'
import classes from './error-pages.module.css'

function BarePage({ children }: { children: ReactNode }) {
  return <div className={classes.page}>{children}</div>
}

function HomeButton() {
  const { t } = useTranslation()
  return (
    <Button component={Link} to="/">
      {t(($) => $.errors.home)}
    </Button>
  )
}

export function ForbiddenPage() {
  const { t } = useTranslation()
  return (
    <BarePage>
      <EmptyState
        isPage
        icon={<IconLock size={22} aria-hidden />}
        title={t(($) => $.errors.forbiddenTitle)}
        text={t(($) => $.errors.forbiddenText)}
      >
        <HomeButton />
      </EmptyState>
    </BarePage>
  )
}

export function MissingPage() {
  const { t } = useTranslation()
  return (
    <BarePage>
      <EmptyState
        isPage
        icon={<IconFileUnknown size={22} aria-hidden />}
        title={t(($) => $.errors.missingTitle)}
        text={t(($) => $.errors.missingText)}
      >
        <HomeButton />
      </EmptyState>
    </BarePage>
  )
}

/** Replaces a screen that threw while it loaded or rendered. */
export function ScreenFailed({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  if (error instanceof HttpError) {
    const retry = () => {
      reset()
      void router.invalidate()
    }
    return (
      <div className={classes.page}>
        <FailedState error={error} onRetry={retry} />
      </div>
    )
  }
  const isChunk = error instanceof ChunkFailed
  return (
    <div className={classes.page}>
      <EmptyState
        isPage
        icon={<IconPlugConnectedX size={22} aria-hidden />}
        title={isChunk ? t(($) => $.errors.partTitle) : t(($) => $.errors.brokenTitle)}
        text={isChunk ? t(($) => $.errors.partText, { part: error.chunk }) : t(($) => $.errors.brokenText)}
      >
        <Button onClick={() => window.location.reload()}>{t(($) => $.errors.reload)}</Button>
      </EmptyState>
    </div>
  )
}
