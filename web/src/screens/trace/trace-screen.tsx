// Trace: the whole story of one ID on both sides, with a verdict in words. The ID is in the address, so that the story can be shared.

import { Button, TextInput } from '@mantine/core'
import { IconRoute, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Trace } from '@tributary/contract/calls/trace'
import type { PostbackReason } from '@tributary/contract/entities/postback'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { HttpError } from '../../data/http-error.ts'
import { RowView } from '../../entities/field/row-view.tsx'
import { useLabels } from '../../i18n/labels.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import { businessZone } from '../../state/profile-facts.ts'
import { Page } from '../../ui/page.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { EmptyState, FailedState, LoadingState } from '../../ui/states.tsx'
import { onSubmit } from '../../ui/submit.ts'
import { MomentText } from '../../ui/value.tsx'
import { TraceLine, useEventName } from './trace-line.tsx'
import classes from './trace-screen.module.css'

type Verdict = Trace['verdicts'][number]

/** How often a story whose postback is on its way is read again. */
const WAITING_MS = 5000

/** The verdict: one sentence per outcome. */
function Verdicts({ verdicts }: { verdicts: readonly Verdict[] }) {
  const { t } = useTranslation()
  if (verdicts.length === 0) return null
  return (
    <section className={classes.verdicts} aria-label={t(($) => $.traffic.trace.verdict)}>
      {verdicts.map((verdict) => (
        <Sentence key={`${verdict.code} ${verdict.values.event}`} verdict={verdict} />
      ))}
    </section>
  )
}

function Sentence({ verdict: { code, tone, values } }: { verdict: Verdict }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const nameOf = useEventName()
  const zone = businessZone()
  const moment = (at: string | undefined) => formatDateTime(at, zone, false) ?? ''
  // The server sends reasons of postbacks only.
  const reason = values.reason as PostbackReason | undefined
  const words = {
    event: values.event === undefined ? '' : nameOf(values.event),
    at: moment(values.at),
    urlAt: moment(values.url_at),
    count: values.count ?? 0,
    reason: reason === undefined ? t(($) => $.traffic.trace.noReason) : labels.choice('postback', 'reason', reason),
  }
  return (
    <div className={classes.verdict}>
      <StateBadge tone={tone}>{t(($) => $.traffic.trace.marks[tone])}</StateBadge>
      <div>
        <p className={classes.sentence}>{t(($) => $.traffic.trace.verdicts[code], words)}</p>
        {reason === undefined || tone === 'positive' ? null : (
          <p className={classes.quiet}>
            {t(($) => $.traffic.howToFix)} {t(($) => $.traffic.fix[reason])}
          </p>
        )}
      </div>
    </div>
  )
}

interface TraceSearch {
  readonly id?: unknown
  readonly player?: unknown
}

const asText = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

export function TraceScreen() {
  const { t } = useTranslation()
  const search: TraceSearch = useSearch({ strict: false })
  const [id, player] = [asText(search.id).trim(), asText(search.player)]
  return (
    <Page title={t(($) => $.screens.trace.title)} subtitle={t(($) => $.screens.trace.subtitle)}>
      <TraceForm key={id} id={id} />
      {id === '' ? (
        <EmptyState title={t(($) => $.traffic.trace.empty)} text={t(($) => $.traffic.trace.emptyHint)} />
      ) : (
        <TraceResult id={id} player={player} />
      )}
    </Page>
  )
}

function TraceForm({ id }: { id: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [text, setText] = useState(id)
  return (
    <form
      className={classes.ask}
      onSubmit={onSubmit(() => {
        if (text.trim() !== '') void navigate({ to: '/trace', search: { id: text.trim() } })
      })}
    >
      <TextInput
        className={classes.input ?? ''}
        data-search
        aria-label={t(($) => $.traffic.trace.ask)}
        placeholder={t(($) => $.traffic.trace.ask)}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" leftSection={<IconRoute size={16} aria-hidden />}>
        {t(($) => $.traffic.openTrace)}
      </Button>
    </form>
  )
}

function TraceResult({ id, player }: { id: string; player: string }) {
  const { t } = useTranslation()
  const trace = useQuery({
    queryKey: ['trace', id, player],
    queryFn: ({ signal }) => http.get<Trace>('trace', { query: { id, ...(player && { player }) }, signal }),
    // A partner is notified by itself within seconds or minutes.
    refetchInterval: ({ state }) => (state.data?.verdicts.some(({ code }) => code === 'waiting') ? WAITING_MS : false),
  })
  if (trace.error instanceof HttpError && trace.error.status === 404)
    return <EmptyState title={t(($) => $.traffic.trace.absent, { id })} text={t(($) => $.traffic.trace.absentHint)} />
  if (trace.isError) return <FailedState error={trace.error} onRetry={() => void trace.refetch()} />
  if (trace.data === undefined) return <LoadingState lines={8} />
  return trace.data.matches.length > 0 ? <Matches id={id} trace={trace.data} /> : <Story trace={trace.data} />
}

function Matches({ id, trace }: { id: string; trace: Trace }) {
  const { t } = useTranslation()
  return (
    <section>
      <h2 className={classes.title}>{t(($) => $.traffic.trace.several, { count: trace.matches.length })}</h2>
      <ul className={classes.matches}>
        {trace.matches.map((match) => (
          <li key={match.id}>
            <Link to="/trace" search={{ id, player: match.id }}>
              {match.title}
            </Link>
            <span className={classes.quiet}>
              <MomentText value={match.registered_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const PLAYER_FIELDS = [
  ...['outer_id', 'inner_id', 'partner', 'offer', 'advertiser', 'stream', 'offer_partner', 'site_id', 'sub_id'],
  ...[
    'promocode',
    'attribution',
    'qualification',
    'qualified_at',
    'payment_resolution',
    'actual_country',
    'ip_country',
  ],
]
const CLICK_FIELDS = [
  ...['id', 'created_at', 'partner_click_id', 'partner', 'offer', 'advertiser', 'stream', 'landing', 'traffic_source'],
  ...[
    'site_id',
    'sub_id',
    'uniqueness',
    'canonical_id',
    'bot',
    'country',
    'ip_country',
    'ip',
    'user_agent',
    'referrer',
  ],
]

function Story({ trace }: { trace: Trace }) {
  const { t } = useTranslation()
  const { click, player, entries, verdicts } = trace
  return (
    <div className={classes.story}>
      <div className={classes.main}>
        <Verdicts verdicts={verdicts} />
        <h2 className={classes.title}>{t(($) => $.traffic.trace.story)}</h2>
        <ol className={classes.line}>
          {entries.map((entry) => (
            <TraceLine key={[entry.at, entry.kind, entry.event, entry.ref?.id, entry.text].join()} entry={entry} />
          ))}
        </ol>
      </div>
      <aside className={classes.facts}>
        {player === null ? null : (
          <section>
            <h2 className={classes.title}>{t(($) => $.traffic.trace.player)}</h2>
            <RowView name="player" row={player} fields={PLAYER_FIELDS} />
          </section>
        )}
        {click === null ? null : (
          <section>
            <h2 className={classes.title}>{t(($) => $.traffic.trace.click)}</h2>
            <RowView name="click" row={click} fields={CLICK_FIELDS} />
          </section>
        )}
      </aside>
    </div>
  )
}
