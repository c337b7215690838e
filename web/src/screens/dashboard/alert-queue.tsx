// The queue of alerts: a line for each kind with its number, and the alerts, each opening the screen that shows it.
import { Button, Skeleton, Switch } from '@mantine/core'
import { IconArrowBackUp, IconChevronDown, IconX } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ALERT_NAMES, type AlertName, alertKind } from '@tributary/contract/alerts'
import type { Alert, AlertList } from '@tributary/contract/calls/alert'
import { type CSSProperties, type ReactNode, useDeferredValue, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useProfile } from '../../data/profile.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import { formatCount } from '../../lib/number-format.ts'
import chart from '../../reports/table/chart.module.css'
import { isQueueLong, queueRoom } from '../../state/preferences.ts'
import { useStoredValue } from '../../state/stored-value.ts'
import { AddressLink } from '../../ui/address-link.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import classes from './alert-queue.module.css'

/** Alerts are days old rather than minutes. */
const STALE_MS = 60_000
/** An old answer is followed by a newer one, which the server is finding meanwhile. */
const NEWER_MS = 3000
const ALERTS_KEY = ['alerts'] as const

const useAlerts = () =>
  useQuery({
    queryKey: ALERTS_KEY,
    queryFn: ({ signal }) => http.get<AlertList>('alert', { signal }),
    staleTime: STALE_MS,
    refetchInterval: ({ state }) => (state.data?.is_old === true ? NEWER_MS : false),
  })

/** So many titles name the alerts of a kind that is closed. */
const NAMED = 3
/** So many kinds show at first, the most urgent ones: what stands below the queue stays in sight. */
const SHOWN = 5

/** The room that the queue is given before it is known: that of the last visit. So nothing below it moves when it arrives. */
function useRoom(data: AlertList | undefined): CSSProperties {
  const [{ rows, hasFoot }] = useState(queueRoom.get)
  const [isLong] = useStoredValue(isQueueLong)
  // Stored for the next visit.
  useEffect(() => {
    if (data === undefined) return
    const kinds = new Set(data.items.map(({ alert }) => alert)).size
    queueRoom.set({
      rows: Math.max(1, isLong ? kinds : Math.min(kinds, SHOWN)),
      hasFoot: kinds > SHOWN || data.dismissed.length > 0,
    })
  }, [data, isLong])
  return { '--rows': rows, '--feet': hasFoot ? 1 : 0 } as CSSProperties
}

export function AlertQueue() {
  const { t } = useTranslation()
  const { data: newest, isError, refetch } = useAlerts()
  // A long queue is rendered in steps, so that the page answers to input meanwhile.
  const deferred = useDeferredValue(newest)
  // Without data, the alerts of another person may not stay.
  const data = newest === undefined ? undefined : deferred
  const room = useRoom(data)
  return (
    <section className={chart.card} aria-label={t(($) => $.alerts.title)} aria-busy={data === undefined && !isError}>
      <header className={`${chart.head} ${classes.head}`}>
        <h2 className={chart.title}>{t(($) => $.alerts.title)}</h2>
        <span className={chart.unit}>{data === undefined ? null : <b>{formatCount(data.total)}</b>}</span>
        {data === undefined ? null : <MailSwitch mail={data.mail} />}
      </header>
      <div className={classes.room} style={room}>
        {data !== undefined ? (
          <Queue answer={data} />
        ) : isError ? (
          <p className={classes.failed} role="alert">
            {t(($) => $.alerts.failed)}{' '}
            <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
              {t(($) => $.errors.retry)}
            </Button>
          </p>
        ) : (
          <Skeleton className={classes.waiting ?? ''} />
        )}
      </div>
    </section>
  )
}

/** One line for each kind, with its number; a kind with several alerts opens to list them. */
function Queue({ answer: { items, counts, dismissed, dismissed_total: dismissedTotal } }: { answer: AlertList }) {
  const { t } = useTranslation()
  const [isLong, setLong] = useStoredValue(isQueueLong)
  const [areDismissedShown, setDismissedShown] = useState(false)
  const byKind = Map.groupBy(items, ({ alert }) => alert)
  const kinds = ALERT_NAMES.filter((name) => byKind.has(name))
  return (
    <>
      {kinds.length === 0 ? <p className={classes.none}>{t(($) => $.alerts.none)}</p> : null}
      <ul className={classes.list}>
        {(isLong ? kinds : kinds.slice(0, SHOWN)).map((name) => (
          <Kind key={name} name={name} alerts={byKind.get(name) ?? []} count={counts[name] ?? 0} />
        ))}
      </ul>
      <div className={classes.foot}>
        {kinds.length > SHOWN ? (
          <Button size="compact-sm" variant="subtle" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
            {isLong ? t(($) => $.alerts.showUrgent) : t(($) => $.alerts.showAll, { count: kinds.length })}
          </Button>
        ) : null}
        {dismissed.length > 0 ? (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-expanded={areDismissedShown}
            onClick={() => setDismissedShown(!areDismissedShown)}
          >
            {areDismissedShown
              ? t(($) => $.alerts.hideDismissed)
              : t(($) => $.alerts.showDismissed, { count: dismissedTotal })}
          </Button>
        ) : null}
      </div>
      {areDismissedShown && dismissed.length > 0 ? <Dismissed alerts={dismissed} /> : null}
    </>
  )
}

interface KindProps {
  name: AlertName
  /** Those that are listed; `count` covers all. */
  alerts: readonly Alert[]
  count: number
}

function Kind({ name, alerts, count }: KindProps) {
  const { t } = useTranslation()
  const dismissal = useDismissal()
  const [isOpen, setIsOpen] = useState(false)
  const left = count - alerts.reduce((sum, alert) => sum + alert.count, 0)
  const [only] = alerts
  const dismissButton = (alert: Alert) => (
    <IconButton
      variant="subtle"
      size="sm"
      label={t(($) => $.alerts.dismiss)}
      icon={IconX}
      iconSize={14}
      onClick={() => dismissal.mutate({ ...alert, is_dismissed: true })}
    />
  )
  const head = (
    <>
      <StateBadge tone={alertKind(name).tone}>{t(($) => $.alerts.kinds[name])}</StateBadge>
      <b className={classes.count}>{formatCount(count)}</b>
    </>
  )
  if (only !== undefined && alerts.length === 1 && left === 0)
    return (
      <li className={classes.kind} data-kind={name}>
        {head}
        <AlertText alert={only} />
        {dismissButton(only)}
      </li>
    )
  const titles = alerts.slice(0, NAMED).map(({ title }) => title)
  return (
    <li data-kind={name} className={classes.many}>
      <button type="button" className={classes.kind} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {head}
        <span className={classes.titles}>{[...titles, ...(alerts.length > NAMED ? ['…'] : [])].join(', ')}</span>
        <IconChevronDown size={14} className={classes.chevron} aria-hidden />
      </button>
      {isOpen ? (
        <ul className={classes.list} aria-label={t(($) => $.alerts.kinds[name])}>
          {alerts.map((alert) => (
            <Item key={keyOf(alert)} alert={alert}>
              {dismissButton(alert)}
            </Item>
          ))}
          {left > 0 ? <li className={classes.none}>{t(($) => $.alerts.more, { count: left })}</li> : null}
        </ul>
      ) : null}
    </li>
  )
}

const keyOf = ({ alert, subject }: Alert): string => `${alert} ${subject}`

/** The alerts that the user has dismissed. */
function Dismissed({ alerts }: { alerts: readonly Alert[] }) {
  const { t } = useTranslation()
  const dismissal = useDismissal()
  return (
    <ul className={classes.list} aria-label={t(($) => $.alerts.dismissedUntil)}>
      {alerts.map((alert) => (
        <Item key={keyOf(alert)} alert={alert}>
          <IconButton
            variant="subtle"
            size="sm"
            label={t(($) => $.alerts.bringBack)}
            icon={IconArrowBackUp}
            iconSize={14}
            onClick={() => dismissal.mutate({ ...alert, is_dismissed: false })}
          />
        </Item>
      ))}
    </ul>
  )
}

/** Moves the alert at once; the answer of the server follows. */
function useDismissal() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ alert, subject, facts, is_dismissed }: Alert & { is_dismissed: boolean }) =>
      http.put('alert/dismissal', { alert, subject, facts, is_dismissed }),
    onSuccess: (_answer, { is_dismissed, ...moved }) => {
      const others = (alerts: readonly Alert[]) => alerts.filter((alert) => keyOf(alert) !== keyOf(moved))
      client.setQueryData<AlertList>(
        ALERTS_KEY,
        (old) =>
          old && {
            ...old,
            items: is_dismissed ? others(old.items) : [moved, ...old.items],
            total: old.total + (is_dismissed ? -moved.count : moved.count),
            counts: {
              ...old.counts,
              [moved.alert]: (old.counts[moved.alert] ?? 0) + (is_dismissed ? -moved.count : moved.count),
            },
            dismissed_total: old.dismissed_total + (is_dismissed ? moved.count : -moved.count),
            dismissed: is_dismissed ? [moved, ...old.dismissed] : others(old.dismissed),
          },
      )
      void client.invalidateQueries({ queryKey: ALERTS_KEY })
    },
    onError: (error) => notifyFailure(error),
  })
}

function Item({ alert, children }: { alert: Alert; children: ReactNode }) {
  return (
    <li className={classes.item}>
      <AlertText alert={alert} />
      {children}
    </li>
  )
}

function AlertText({ alert: { title, message, address } }: { alert: Alert }) {
  return (
    <span className={classes.text}>
      <AddressLink address={address} className={classes.link}>
        {title}
      </AddressLink>
      <span className={classes.message}>{message}</span>
    </span>
  )
}

function MailSwitch({ mail: { is_on, sent_at, next_at } }: Pick<AlertList, 'mail'>) {
  const { t } = useTranslation()
  const zone = useProfile().business_time_zone
  const mail = useAlertMail()
  const at = (moment: string) => formatDateTime(moment, zone) ?? ''
  const hints = () => [
    t(($) => $.alerts.mailNext, { at: at(next_at) }),
    ...(sent_at === null ? [] : [t(($) => $.alerts.mailSent, { at: at(sent_at) })]),
  ]
  const hintId = useId()
  return (
    <>
      {is_on ? (
        <span id={hintId} className={classes.hint}>
          {hints().join('. ')}
        </span>
      ) : null}
      <Switch
        size="sm"
        label={t(($) => $.alerts.mail)}
        {...(is_on && { 'aria-describedby': hintId })}
        checked={is_on}
        disabled={mail.isPending}
        onChange={(event) => mail.mutate(event.currentTarget.checked)}
      />
    </>
  )
}

function useAlertMail() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (isOn: boolean) => http.put('alert/mail', { is_on: isOn }),
    onSuccess: (_answer, isOn) => {
      client.setQueryData<AlertList>(ALERTS_KEY, (old) => old && { ...old, mail: { ...old.mail, is_on: isOn } })
    },
    onError: (error) => notifyFailure(error),
  })
}
