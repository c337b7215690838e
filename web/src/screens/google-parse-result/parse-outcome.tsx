// What a parse by hand has taken: the numbers of its log, its warnings, and the way to the log.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { googleParseResult } from '@tributary/contract/entities/google-parse-result'
import { EMPTY_QUERY } from '@tributary/contract/list-query'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import type { Row } from '../../entities/list/list-query.ts'
import { writeSearch } from '../../entities/list/list-state.ts'
import { useLabels } from '../../i18n/labels.ts'
import { formatCount } from '../../lib/number-format.ts'
import classes from './parse-modal.module.css'
import { IgnoredColumns, ignoredOf, type SheetWarning, SheetWarnings } from './sheet-warnings.tsx'

const COUNTS = ['rows_taken', 'rows_changed', 'rows_removed', 'rows_unchanged'] as const

interface ParseOutcomeProps {
  partner: number
  /** 'YYYY-MM' */
  month: string
}

export function ParseOutcome({ partner, month }: ParseOutcomeProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const { data } = useQuery({
    queryKey: [...keys.entity('google_parse_result'), 'last', partner, month],
    queryFn: ({ signal }) => readLast(partner, month, signal),
  })
  const warnings = (Array.isArray(data?.warnings) ? data.warnings : []) as SheetWarning[]
  return (
    <section aria-label={t(($) => $.sheets.parse.outcome)}>
      {data == null ? null : (
        <>
          <dl className={classes.counts}>
            {COUNTS.map((name) => (
              <div key={name}>
                <dt>{labels.field('google_parse_result', name)}</dt>
                <dd>{formatCount(Number(data[name] ?? 0))}</dd>
              </div>
            ))}
            <div>
              <dt>{t(($) => $.sheets.warnings)}</dt>
              <dd>{formatCount(warnings.length)}</dd>
            </div>
          </dl>
          {warnings.length === 0 ? null : (
            <SheetWarnings warnings={warnings} url={typeof data.file_url === 'string' ? data.file_url : null} />
          )}
          <IgnoredColumns columns={ignoredOf(data)} />
        </>
      )}
      <Link
        to={googleParseResult.route}
        search={writeSearch({
          ...EMPTY_QUERY,
          conditions: [{ path: 'partner', operator: 'eq', values: [String(partner)] }],
        })}
        className={classes.link}
      >
        {t(($) => $.sheets.parse.log)}
      </Link>
    </section>
  )
}

/** The latest log of the partner's month. */
async function readLast(partner: number, month: string, signal: AbortSignal): Promise<Row | null> {
  const query = [
    ['filter[partner]', String(partner)],
    ['filter[spend_month]', `${month}-01`],
    ['limit', '1'],
  ] as const
  const { items } = await http.get<{ items: Row[] }>('google_parse_result', { query, signal })
  return items[0] ?? null
}
