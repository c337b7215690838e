// One entry of a trace: time, side, event, and a link to its row.
import { Link } from '@tanstack/react-router'
import type { Trace } from '@tributary/contract/calls/trace'
import { TOLD_EVENTS } from '@tributary/contract/entities/partner-postback-url'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import { entityOf } from '../../entities/field/field-at.ts'
import { PANEL_PARAM, recordPath } from '../../entities/field/row-link.ts'
import { type Labels, useLabels } from '../../i18n/labels.ts'
import { StateBadge, toneOf } from '../../ui/state-badge.tsx'
import { DayText, MomentText, Money } from '../../ui/value.tsx'
import classes from './trace-screen.module.css'

/** The name of an event: standard events have words, an advertiser's own event is shown as it is. */
export function useEventName(): (event: string) => string {
  const labels = useLabels()
  return (event) =>
    (TOLD_EVENTS as readonly string[]).includes(event) ? labels.choice('partner_postback_url', 'events', event) : event
}

type Entry = Trace['entries'][number]

/** The entity and field that contain the words of an entry's status. */
const STATUS_OF: Readonly<Partial<Record<Entry['kind'], readonly [EntityName, string]>>> = {
  postback_in: ['postback', 'status'],
  postback_out: ['postback', 'status'],
  attempt: ['postback', 'status'],
  registration: ['player', 'attribution'],
  qualified: ['player', 'qualification'],
  click: ['click', 'uniqueness'],
}

function statusWord(labels: Labels, { kind, status }: Entry): string | null {
  if (status === null) return null
  const place = STATUS_OF[kind]
  return place === undefined ? status : labels.choice(place[0], place[1], status)
}

export function TraceLine({ entry }: { entry: Entry }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const nameOf = useEventName()
  const { at, day, kind, side, event, status, reason, text, amount, currency, ref } = entry
  const word = kind === 'click' && status === 'bot' ? t(($) => $.traffic.trace.bot) : statusWord(labels, entry)
  return (
    <li className={classes.moment} data-side={side} data-kind={kind}>
      <div className={classes.when}>
        {day === null ? <MomentText value={at} seconds /> : <DayText value={day} />}
        <span className={classes.side}>{t(($) => $.traffic.trace.sides[side])}</span>
      </div>
      <div className={classes.what}>
        <p className={classes.head}>
          <RefLink entity={ref?.entity} id={ref?.id}>
            {t(($) => $.traffic.trace.kinds[kind])}
            {event === null || kind === 'registration' || kind === 'first_deposit' ? '' : ` · ${nameOf(event)}`}
          </RefLink>
          {amount === null ? null : (
            <span>
              <Money value={amount} /> {currency}
            </span>
          )}
          {word === null ? null : <StateBadge tone={toneOf(status ?? '')}>{word}</StateBadge>}
          {reason === null ? null : (
            <span className={classes.quiet}>{labels.choice('postback', 'reason', reason)}</span>
          )}
        </p>
        {text === null ? null : <p className={classes.text}>{text}</p>}
      </div>
    </li>
  )
}

interface RefLinkProps {
  entity: 'click' | 'player' | 'postback' | undefined
  id: number | string | undefined
  children: ReactNode
}

function RefLink({ entity, id, children }: RefLinkProps) {
  const can = useCan()
  if (entity === undefined || id === undefined || !can(entityOf(entity).access.view)) return <strong>{children}</strong>
  const form = recordPath(entity, id)
  const route = entityOf(entity).route ?? '/'
  return (
    <Link
      to={form ?? route}
      {...(form === null ? { search: { [PANEL_PARAM]: id } } : {})}
      className={classes.ref ?? ''}
    >
      {children}
    </Link>
  )
}
