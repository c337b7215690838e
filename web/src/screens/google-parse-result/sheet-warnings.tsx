// Warnings about a spend sheet: what is wrong in which cell, the way to mend it, and a link to the cell.
import { Anchor } from '@mantine/core'
import type { SheetPreview } from '@tributary/contract/calls/spend-sheet'
import { type MessageKey, say } from '@tributary/contract/words/messages'
import { useTranslation } from 'react-i18next'
import type { Row } from '../../entities/list/list-query.ts'
import { currentLanguage } from '../../i18n/language.ts'
import classes from './parse-modal.module.css'

export type SheetWarning = SheetPreview['warnings'][number]

/** The log keeps keys, so that everybody reads it in their own language. */
const write = (key: string, values: Record<string, string>): string =>
  // The server writes keys of this dictionary.
  say(currentLanguage(), key as MessageKey, values)

const cellUrl = (url: string, { gid, cell }: SheetWarning): string =>
  gid === null ? url : `${url}#gid=${gid}${cell === '' ? '' : `&range=${cell}`}`

export function SheetWarnings({ warnings, url }: { warnings: readonly SheetWarning[]; url: string | null }) {
  const { t } = useTranslation()
  if (warnings.length === 0) return <p className={classes.text}>{t(($) => $.sheets.noWarnings)}</p>
  return (
    <ul className={classes.rows} aria-label={t(($) => $.sheets.warnings)}>
      {warnings.map((warning, index) => {
        const place = [warning.tab, warning.cell].filter(Boolean).join('!')
        return (
          // Several warnings may be about one cell.
          <li key={`${place} ${warning.key} ${String(index)}`} className={classes.row}>
            {place === '' ? null : url ? (
              <Anchor href={cellUrl(url, warning)} target="_blank" rel="noreferrer" size="sm">
                {place}
              </Anchor>
            ) : (
              <span>{place}</span>
            )}
            <span className={classes.said}>{write(warning.key, warning.values)}</span>
            <span className={classes.remedy}>{write(`${warning.key}_remedy`, warning.values)}</span>
          </li>
        )
      })}
    </ul>
  )
}

export interface IgnoredColumn {
  readonly cell: string
  readonly heading: string
}

/** The server writes columns of the contract into the log. */
export const ignoredOf = (row: Row): IgnoredColumn[] =>
  Array.isArray(row.ignored_columns) ? (row.ignored_columns as IgnoredColumn[]) : []

/** Columns that the mapping of the sheet leaves out. */
export function IgnoredColumns({ columns }: { columns: readonly IgnoredColumn[] }) {
  const { t } = useTranslation()
  if (columns.length === 0) return null
  return (
    <p className={classes.text}>
      {t(($) => $.sheets.ignored, { columns: columns.map(({ cell, heading }) => `${heading} (${cell})`).join(', ') })}
    </p>
  )
}
