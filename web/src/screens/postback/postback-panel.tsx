// The panel of one postback: the verdict with advice, every attempt with its response, its cause and its consequences.
import { Button } from '@mantine/core'
import { IconRefresh, IconRoute } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { leadersOr } from '@tributary/contract/access'
import type { PostbackStory } from '@tributary/contract/calls/postback'
import { POSTBACK_REASONS, type PostbackReason } from '@tributary/contract/entities/postback'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import { RowView } from '../../entities/field/row-view.tsx'
import type { Row } from '../../entities/list/list-query.ts'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { StateBadge, toneOf } from '../../ui/state-badge.tsx'
import { FailedState } from '../../ui/states.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { MomentText } from '../../ui/value.tsx'
import classes from './postback-panel.module.css'
import { resend, usePostbackStory } from './postback-tools.tsx'

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** The time from a click to its event in its two largest units; the click's id contains its time. Null if it cannot be computed. */
export function sinceClick(clickId: unknown, at: unknown, language: string): string | null {
  if (typeof clickId !== 'string' || typeof at !== 'string' || clickId[14] !== '7') return null
  const clicked = Number.parseInt(clickId.replace('-', '').slice(0, 12), 16)
  let left = Math.floor((Date.parse(at) - clicked) / 1000)
  if (!(left >= 0)) return null
  const parts: string[] = []
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(left / seconds)
    left -= count * seconds
    if (count > 0 || (seconds === 1 && parts.length === 0))
      parts.push(new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(count))
  }
  return parts.slice(0, 2).join(' ')
}

/** The time zone of the log of postbacks: that of the advertisers' servers. Etc/GMT-6 is the POSIX name of UTC+6. */
export const SERVER_ZONE = { id: 'Etc/GMT-6', mark: 'UTC+6' } as const

interface PanelProps {
  readonly row: Row
}

type Attempt = PostbackStory['attempts'][number]

const isReason = (value: unknown): value is PostbackReason => (POSTBACK_REASONS as readonly unknown[]).includes(value)

const isWell = (status: string) => status === 'accepted' || status === 'sent'

/** Fields that the sections above already show. */
const SHOWN_ABOVE = new Set(['status', 'reason', 'error', 'response', 'response_code', 'attempts', 'parent'])

export function PostbackPanel({ row }: PanelProps) {
  const story = usePostbackStory(row.id)
  const fields = Object.keys(row).filter((name) => !SHOWN_ABOVE.has(name))
  return (
    <div className={classes.panel}>
      <Verdict row={row} />
      <Actions row={row} />
      {story.isError ? <FailedState error={story.error} onRetry={() => void story.refetch()} /> : null}
      {story.data === undefined ? null : <Story story={story.data} zone={SERVER_ZONE.id} />}
      <RowView name="postback" row={row} fields={fields} zone={SERVER_ZONE.id} />
    </div>
  )
}

function Verdict({ row }: PanelProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const status = String(row.status)
  const { reason, error } = row
  const since = sinceClick(row.click_id, row.created_at, currentLanguage())
  return (
    <section className={classes.verdict} data-tone={toneOf(status)}>
      <p className={classes.head}>
        <StateBadge tone={toneOf(status)}>{labels.choice('postback', 'status', status)}</StateBadge>
        {isReason(reason) ? <strong>{labels.choice('postback', 'reason', reason)}</strong> : null}
      </p>
      {isReason(reason) ? (
        <p className={classes.fix}>
          <span className={classes.label}>{t(($) => $.traffic.howToFix)}</span> {t(($) => $.traffic.fix[reason])}
        </p>
      ) : isWell(status) ? (
        <p className={classes.fix}>{t(($) => $.traffic.verdict[row.direction === 'out' ? 'out' : 'in'])}</p>
      ) : null}
      {since === null ? null : <p className={classes.fix}>{t(($) => $.traffic.sinceClick, { since })}</p>}
      {typeof error === 'string' && error !== '' ? <p className={classes.raw}>{error}</p> : null}
    </section>
  )
}

function Actions({ row }: PanelProps) {
  const { t } = useTranslation()
  const can = useCan()
  const { isBusy, run } = useBusy()
  const key = row.click_id ?? row.player_outer_id
  const send = () =>
    run(async () => {
      const { count } = await resend({ ids: [Number(row.id)] })
      if (count > 0) notifySuccess(t(($) => $.traffic.resend.begun, { count }))
      else notifyFailure(t(($) => $.traffic.resend.untold))
    })
  return (
    <div className={classes.actions}>
      {typeof key === 'string' && key !== '' ? (
        <Button
          renderRoot={(props) => <Link to="/trace" search={{ id: key }} {...props} />}
          variant="default"
          leftSection={<IconRoute size={15} aria-hidden />}
        >
          {t(($) => $.traffic.openTrace)}
        </Button>
      ) : null}
      {row.direction === 'out' && can(leadersOr('partners_edit')) ? (
        <Button
          variant="default"
          loading={isBusy}
          leftSection={<IconRefresh size={15} aria-hidden />}
          onClick={() => void send()}
        >
          {t(($) => $.traffic.resend.one)}
        </Button>
      ) : null}
    </div>
  )
}

function Story({ story, zone }: { story: PostbackStory; zone: string | undefined }) {
  const { t } = useTranslation()
  const { attempts, parent, children, params, idempotency_key } = story
  return (
    <>
      {attempts.length === 0 ? null : (
        <section>
          <h3 className={classes.title}>{t(($) => $.traffic.attempts)}</h3>
          <ol className={classes.attempts}>
            {attempts.map((attempt) => (
              <AttemptLine key={attempt.number} attempt={attempt} zone={zone} />
            ))}
          </ol>
          {idempotency_key === null ? null : (
            <div className={classes.key}>
              <span>{t(($) => $.traffic.idempotency)}</span>
              <CopyField value={idempotency_key} />
            </div>
          )}
        </section>
      )}
      <Linked title={t(($) => $.traffic.cause)} rows={parent === null ? [] : [parent]} zone={zone} />
      <Linked title={t(($) => $.traffic.consequences)} rows={children} zone={zone} />
      {params === null || Object.keys(params).length === 0 ? null : (
        <section>
          <h3 className={classes.title}>{t(($) => $.traffic.params)}</h3>
          <dl className={classes.params}>
            {Object.entries(params).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  )
}

function AttemptLine({ attempt, zone }: { attempt: Attempt; zone: string | undefined }) {
  const { t } = useTranslation()
  const { number, at, method, url, code, response, error, duration_ms } = attempt
  return (
    <li className={classes.attempt}>
      <p className={classes.head}>
        <span className={classes.number}>{number}</span>
        <MomentText value={at} seconds zone={zone} />
        <StateBadge tone={error === null ? 'positive' : 'negative'}>{code ?? t(($) => $.traffic.noAnswer)}</StateBadge>
        <span className={classes.quiet}>{t(($) => $.traffic.milliseconds, { count: duration_ms })}</span>
      </p>
      <p className={classes.raw}>
        {method} {url}
      </p>
      {code === null && error !== null ? <p className={classes.fix}>{error}</p> : null}
      {response === null || response === '' ? null : <pre className={classes.response}>{response}</pre>}
    </li>
  )
}

interface LinkedProps {
  title: string
  rows: readonly Readonly<Record<string, unknown>>[]
  zone: string | undefined
}

function Linked({ title, rows, zone }: LinkedProps) {
  const labels = useLabels()
  if (rows.length === 0) return null
  return (
    <section>
      <h3 className={classes.title}>{title}</h3>
      <ul className={classes.linked}>
        {rows.map((row) => {
          const status = String(row.status)
          return (
            <li key={String(row.id)}>
              <Link to="/postbacks" search={(before: object) => ({ ...before, row: Number(row.id) })}>
                {typeof row.event_type === 'string'
                  ? row.event_type
                  : labels.choice('postback', 'direction', String(row.direction))}
              </Link>
              <StateBadge tone={toneOf(status)}>{labels.choice('postback', 'status', status)}</StateBadge>
              {isReason(row.reason) ? (
                <span className={classes.quiet}>{labels.choice('postback', 'reason', row.reason)}</span>
              ) : null}
              <span className={classes.quiet}>
                <MomentText value={String(row.created_at)} zone={zone} />
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
