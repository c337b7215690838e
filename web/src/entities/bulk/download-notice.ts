// A running download in the corner. It may be left: the note stays on every screen until the file is there.
import i18next from 'i18next'
import { type Download, type DownloadAsk, download } from '../../data/download.ts'
import { formatCount } from '../../lib/number-format.ts'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { openNote } from './progress-note.tsx'

/** Downloads a file under a running note; the end, and a failure, are told. Resolves when it is over, however it ended. */
export async function downloadFile(ask: DownloadAsk, title: string): Promise<void> {
  const leaving = new AbortController()
  const note = openNote(title, () => leaving.abort())
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
