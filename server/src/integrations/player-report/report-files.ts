// Stores the files of a report: its source as received, and the log of its errors and warnings.

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Language } from '@tributary/contract/language'
import { say } from '@tributary/contract/words/messages'
import type { Pool } from 'pg'
import type { Config } from '../../config.ts'
import { neutralise } from '../../lib/sheet.ts'
import type { ReportIssue } from './reader-messages.ts'

type Place = Pick<Config, 'dataDir'>

const folderOf = ({ dataDir }: Place, reportId: number): string => join(dataDir, 'reports', String(reportId))

export const sourcePath = (place: Place, reportId: number): string => join(folderOf(place, reportId), 'source')
export const logPath = (place: Place, reportId: number): string => join(folderOf(place, reportId), 'log.csv')

/** Moves a file into the report's folder. */
export async function storeSource(place: Place, reportId: number, path: string): Promise<void> {
  await mkdir(folderOf(place, reportId), { recursive: true, mode: 0o700 })
  await rename(path, sourcePath(place, reportId))
}

/** Deletes files of reports that no longer exist. */
export async function dropOrphans(place: Place, pool: Pool): Promise<void> {
  const names = await readdir(join(place.dataDir, 'reports')).catch((): string[] => [])
  const ids = names.filter((name) => /^\d+$/.test(name)).map(Number)
  const { rows } = await pool.query<{ id: number }>(
    'select kept.id from unnest($1::bigint[]) as kept (id) where not exists (select from report r where r.id = kept.id)',
    [ids],
  )
  for (const { id } of rows) await rm(folderOf(place, id), { recursive: true, force: true })
}

const HEADS: Record<Language, readonly string[]> = {
  en: ['Line', 'Column', 'Problem', 'Value'],
  ru: ['Строка', 'Столбец', 'Что не так', 'Значение'],
}

/** Quotes a csv value so that a spreadsheet does not evaluate it. */
const quote = (text: string): string => `"${neutralise(text).replaceAll('"', '""')}"`

/** Writes the log; an earlier one stays until the new one is complete. */
export async function writeLog(
  place: Place,
  reportId: number,
  language: Language,
  pieces: AsyncIterable<readonly ReportIssue[]> | Iterable<readonly ReportIssue[]>,
): Promise<void> {
  await mkdir(folderOf(place, reportId), { recursive: true, mode: 0o700 })
  const path = logPath(place, reportId)
  const target = createWriteStream(`${path}.part`, { mode: 0o600, flush: true })
  const closed = once(target, 'close')
  target.write(`\ufeff${HEADS[language].map(quote).join(',')}\r\n`)
  for await (const issues of pieces) {
    const text = issues
      .map(({ line, column, key, value }) =>
        [line === 0 ? '' : String(line), column, say(language, key), value].map(quote).join(','),
      )
      .join('\r\n')
    if (text !== '' && !target.write(`${text}\r\n`)) await once(target, 'drain')
  }
  target.end()
  await closed
  await rename(`${path}.part`, path)
}
