// Jobs with their next and last runs, what runs by the clock, and the last errors.
import type { AnswerOf } from '@tributary/contract/calls/registry'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { currentWords } from '../../i18n/language.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import { formatCount } from '../../lib/number-format.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { Dash, MomentText } from '../../ui/value.tsx'
import { formatSeconds } from './measure-text.ts'
import classes from './status.module.css'

type Status = AnswerOf<'status_read'>

function Part({ title, columns, children }: { title: string; columns: readonly string[]; children: ReactNode }) {
  return (
    <section className={classes.part}>
      <h2 className={classes.heading}>{title}</h2>
      <TableFrame label={title}>
        <table className={tableClasses.table}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column}>{column}</th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </TableFrame>
    </section>
  )
}

const CountCell = ({ count, isBad = false }: { count: number; isBad?: boolean }) => (
  <td>
    {count === 0 ? (
      <Dash />
    ) : isBad ? (
      <StateBadge tone="negative">{formatCount(count)}</StateBadge>
    ) : (
      formatCount(count)
    )}
  </td>
)

export function JobsTable({ jobs }: Pick<Status, 'jobs'>) {
  const { t } = useTranslation()
  const { units, jobs: names } = currentWords().status
  const nameOf: Readonly<Record<string, string>> = names
  const words = currentWords().status
  return (
    <Part
      title={t(($) => $.status.jobsTitle)}
      columns={[words.job, words.next, words.last, words.took, words.waits, words.runs, words.dead]}
    >
      {jobs.map((job) => (
        <tr key={job.name}>
          <td className={classes.wide}>
            {nameOf[job.name] ?? job.name}
            {job.dead > 0 && job.last_error !== null ? <span className={classes.detail}>{job.last_error}</span> : null}
          </td>
          <td>{job.next_at === null ? words.onDemand : <MomentText value={job.next_at} seconds />}</td>
          <td>
            <MomentText value={job.last_at} seconds />
          </td>
          <td>{formatSeconds(job.last_seconds, units) ?? <Dash />}</td>
          <CountCell count={job.waiting} />
          <CountCell count={job.running} />
          <CountCell count={job.dead} isBad />
        </tr>
      ))}
    </Part>
  )
}

/** The times are set, and shown, in UTC. */
export function ScheduleTable({ schedules }: Pick<Status, 'schedules'>) {
  const { t } = useTranslation()
  const labels = useLabels()
  const words = currentWords().status
  return (
    <Part title={words.scheduleTitle} columns={[words.scheduled, words.next, words.last]}>
      {schedules.map(({ name, next_at, last_at, running_since, off, failure }) => (
        <tr key={name}>
          <td className={classes.wide}>
            {labels.field('setting', name)}
            {failure === null ? null : <span className={classes.detail}>{failure}</span>}
          </td>
          <td>{off === null ? <MomentText value={next_at} zone="UTC" /> : t(($) => $.settings.off[off])}</td>
          <td>
            <MomentText value={last_at} zone="UTC" />
            {running_since === null ? null : (
              <span className={classes.detail}>
                {t(($) => $.settings.running, { at: `${formatDateTime(running_since, 'UTC') ?? ''} UTC` })}
              </span>
            )}
          </td>
        </tr>
      ))}
    </Part>
  )
}

export function ProblemsTable({ problems }: Pick<Status, 'problems'>) {
  const words = currentWords().status
  if (problems.length === 0)
    return (
      <section className={classes.part}>
        <h2 className={classes.heading}>{words.problems}</h2>
        <p className={classes.quiet}>{words.noProblems}</p>
      </section>
    )
  return (
    <Part title={words.problems} columns={[words.at, words.level, words.what, words.request, words.where]}>
      {problems.map(({ at, level, message, error, request_id, job, process }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may be equal in all that they have
        <tr key={`${at} ${index}`}>
          <td>
            <MomentText value={at} seconds />
          </td>
          <td>
            <StateBadge tone={level === 'error' ? 'negative' : 'warning'}>{words.levels[level]}</StateBadge>
          </td>
          <td className={classes.wide}>
            {message}
            {error === null ? null : <span className={classes.detail}>{error}</span>}
          </td>
          <td className={classes.id}>{request_id ?? job ?? <Dash />}</td>
          <td>{process ?? <Dash />}</td>
        </tr>
      ))}
    </Part>
  )
}
