// A notification with the progress of a long task and, if it can be stopped, a button. It stays on every screen until the task ends.
import { Button, Progress } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import i18next from 'i18next'
import { formatCount } from '../../lib/number-format.ts'
import classes from './progress-note.module.css'

interface NoteProgress {
  /** The done fraction, 0 to 1. */
  readonly fraction: number
  /** Rows done; null until it is known. */
  readonly done: number | null
  readonly rows: number | null
}

let count = 0

/** Often enough to look continuous. */
const REDRAW_MS = 120

export function openNote(title: string, onCancel?: () => void) {
  count += 1
  const id = `progress-${count}`
  let shownAt = 0
  const data = (progress: NoteProgress) => ({
    id,
    title,
    message: <Running title={title} progress={progress} onCancel={onCancel} />,
    autoClose: false as const,
    withCloseButton: false,
  })
  notifications.show(data({ fraction: 0, done: null, rows: null }))
  return {
    show: (progress: NoteProgress): void => {
      const now = Date.now()
      if (now - shownAt < REDRAW_MS) return
      shownAt = now
      notifications.update(data(progress))
    },
    close: () => void notifications.hide(id),
  }
}

interface RunningProps {
  title: string
  progress: NoteProgress
  onCancel: (() => void) | undefined
}

function Running({ title, progress, onCancel }: RunningProps) {
  const percent = Math.floor(progress.fraction * 100)
  const { done, rows } = progress
  return (
    <>
      <div className={classes.running}>
        <Progress value={percent} aria-label={title} className={classes.bar ?? ''} />
        <span className={classes.percent}>{percent} %</span>
        {onCancel === undefined ? null : (
          <Button size="compact-xs" variant="subtle" onClick={onCancel}>
            {i18next.t(($) => $.actions.cancel)}
          </Button>
        )}
      </div>
      {done === null || rows === null
        ? null
        : i18next.t(($) => $.lists.rowsDone, { done: formatCount(done) ?? '', total: formatCount(rows) ?? '' })}
    </>
  )
}
