// The changes in a report since a moment: each number before and after, with cause and author.
import { useQuery } from '@tanstack/react-query'
import type { ReportChange, ReportChangeCause, ReportChangesAnswer } from '@tributary/contract/reports/changes'
import { splitKey } from '@tributary/contract/reports/traffic'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import { formatCount } from '../../lib/number-format.ts'
import { businessZone } from '../../state/profile-facts.ts'
import { FailedState } from '../../ui/states.tsx'
import { TableSkeleton } from '../../ui/table-skeleton.tsx'
import { formatNumber } from '../table/report-columns.ts'
import classes from './change-rows.module.css'

const at = (moment: string) => formatDateTime(moment, businessZone(), true) ?? ''

export function ChangeRows({ path, filter, since }: { path: string; filter: object; since: string }) {
  const words = useReportWords()
  const body = { filter, since }
  const { data, error, refetch } = useQuery({
    queryKey: keys.report(`${path}_changes`, body),
    queryFn: ({ signal }) => http.post<ReportChangesAnswer>(`${path}/changes`, body, { signal }),
  })
  return (
    <>
      {error ? <FailedState error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined && !error ? (
        <TableSkeleton columns={[words.table.groups, words.known.was, words.known.is, words.known.why]} />
      ) : null}
      {data ? <ChangeList answer={data} /> : null}
    </>
  )
}

function ChangeList({ answer }: { answer: ReportChangesAnswer }) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const { changes, known_from, since, is_truncated } = answer
  return (
    <div className={classes.body}>
      {known_from !== null && known_from > since ? (
        <p className={classes.note}>{t(($) => $.known.begins, { time: at(known_from) })}</p>
      ) : null}
      {is_truncated ? <p className={classes.note}>{words.known.truncated}</p> : null}
      {changes.length === 0 ? <p className={classes.note}>{words.known.none}</p> : null}
      <ol className={classes.list}>
        {changes.map((change) => (
          <Change key={[...change.path.map(({ id }) => id), change.s?.id].join('\u001f')} change={change} />
        ))}
      </ol>
    </div>
  )
}

function Change({ change: { path, s, cells, causes } }: { change: ReportChange }) {
  const words = useReportWords()
  const titles = [...path.map(({ title }) => title), ...(s === undefined ? [] : [s.title])]
  return (
    <li className={classes.change}>
      <h3 className={classes.path}>{titles.length === 0 ? words.known.total : titles.join(' › ')}</h3>
      <table className={classes.cells}>
        <thead className={classes.srOnly}>
          <tr>
            <th>{words.filterPanel.metric}</th>
            <th>{words.known.was}</th>
            <th>{words.known.is}</th>
          </tr>
        </thead>
        <tbody>
          {cells.map(({ metric: key, before, now }) => {
            const { metric } = splitKey(key)
            return (
              <tr key={key}>
                <th scope="row">{words.metrics[metric]}</th>
                <td className={classes.before}>{formatNumber(metric, before) ?? '–'}</td>
                <td className={classes.now}>{formatNumber(metric, now) ?? '–'}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <ul className={classes.causes} aria-label={words.known.why}>
        {causes.map((cause) => (
          <Cause key={`${cause.cause} ${cause.actor?.id}`} cause={cause} />
        ))}
      </ul>
    </li>
  )
}

function Cause({ cause: { cause, actor, count, at: moment } }: { cause: ReportChangeCause }) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  return (
    <li>
      <span className={classes.cause}>{words.known.causes[cause]}</span>
      <span>{`× ${formatCount(count)}`}</span>
      {actor === null ? null : <span>{t(($) => $.known.by, { name: actor.title })}</span>}
      <time dateTime={moment}>{at(moment)}</time>
    </li>
  )
}
