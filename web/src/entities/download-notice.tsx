// A running download in the corner: how far it is, and a way to stop it. It may be left: the note stays on every screen until the file is there.
import { Button, Progress } from '@mantine/core'
import i18next from 'i18next'
import { type Download, type DownloadAsk, type DownloadProgress, download } from '../data/download.ts'
import { formatCount } from '../lib/number-format.ts'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { openOverlays } from '../ui/overlay-host.ts'
import classes from './download-notice.module.css'

let count = 0

/** Downloads a file under a running note; the end, and a failure, are told. Resolves when it is over, however it ended. */
export async function downloadFile(ask: DownloadAsk, title: string): Promise<void> {
  const leaving = new AbortController()
  const note = await openNote(title, () => leaving.abort())
  try {
    const { name, rows } = await download(ask, leaving.signal, note.show)
    notifySuccess(doneText(rows), { title: name })
  } catch (error) {
    if (!leaving.signal.aborted) notifyFailure(error, { title, persistent: true })
  } finally {
    note.close()
  }
}

const doneText = (rows: Download['rows']): string =>
  rows === null
    ? i18next.t(($) => $.lists.exported)
    : i18next.t(($) => $.lists.exportedRows, { count: rows, rows: formatCount(rows) ?? '' })

/** Often enough to be seen moving. */
const REDRAW_MS = 120

async function openNote(title: string, onCancel: () => void) {
  const [{ notifications }] = await Promise.all([import('@mantine/notifications'), openOverlays()])
  count += 1
  const id = `download-${count}`
  let shownAt = 0
  const data = (progress: DownloadProgress) => ({
    id,
    title,
    message: <Running title={title} progress={progress} onCancel={onCancel} />,
    autoClose: false as const,
    withCloseButton: false,
  })
  notifications.show(data({ share: 0, bytes: 0, rows: null }))
  return {
    show: (progress: DownloadProgress): void => {
      const now = Date.now()
      if (now - shownAt < REDRAW_MS) return
      shownAt = now
      notifications.update(data(progress))
    },
    close: () => void notifications.hide(id),
  }
}

function Running({ title, progress, onCancel }: { title: string; progress: DownloadProgress; onCancel: () => void }) {
  const percent = Math.floor(progress.share * 100)
  return (
    <div className={classes.running}>
      <Progress value={percent} aria-label={title} className={classes.bar ?? ''} />
      <span className={classes.percent}>{percent} %</span>
      <Button size="compact-xs" variant="subtle" onClick={onCancel}>
        {i18next.t(($) => $.actions.cancel)}
      </Button>
    </div>
  )
}
