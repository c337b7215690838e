// Tests an event that an advertiser reports to a postback URL: the response, the player it would belong to, and the outbound
// postbacks. Nothing is recorded and nobody is called.
import { Button, Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useLabels } from '../../i18n/labels.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import { Dash } from '../../ui/value.tsx'
import classes from './tester.module.css'

const TESTED_EVENTS = ['reg', 'dep', 'bet'] as const
export type TestedEvent = (typeof TESTED_EVENTS)[number]

const REGISTRATION = ['player_id', 'click_id', 'site_id', 'sub_id', 'promocode', 'country', 'date'] as const
const MONEY = ['player_id', 'click_id', 'sum', 'currency', 'transaction_id', 'date'] as const
export type EventField = (typeof REGISTRATION)[number] | (typeof MONEY)[number]

/** Parameters of each kind of event, named as in the postback URL. */
const EVENT_FIELDS: Readonly<Record<TestedEvent, readonly EventField[]>> = {
  reg: REGISTRATION,
  dep: MONEY,
  bet: MONEY,
}

/** Omits empty parameters and those of other kinds of events. */
export function eventParameters(
  event: TestedEvent,
  values: Readonly<Partial<Record<EventField, string>>>,
): Record<string, string> {
  const filled = EVENT_FIELDS[event].flatMap((name) => {
    const value = values[name]?.trim() ?? ''
    return value === '' ? [] : [[name, value] as const]
  })
  return { event, ...Object.fromEntries(filled) }
}

type Judged = AnswerOf<'offer_partner_test_event'>

interface EventTesterProps {
  /** The id of the partner offer. */
  id: number
}

export function EventTester({ id }: EventTesterProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const [event, setEvent] = useState<TestedEvent>('reg')
  const [values, setValues] = useState<Partial<Record<EventField, string>>>({ player_id: 'test-player' })
  const test = useMutation({
    mutationFn: () => http.post<Judged>(`offer_partner/${id}/test_event`, { params: eventParameters(event, values) }),
    onError: (error) => notifyFailure(error, { title: t(($) => $.errors.request) }),
  })
  const fields = EVENT_FIELDS[event]
  return (
    <section className={classes.below} aria-label={t(($) => $.testers.event)}>
      <h3 className={classes.title}>{t(($) => $.testers.event)}</h3>
      <p className={classes.text}>{t(($) => $.testers.eventText)}</p>
      <div className={classes.builder}>
        <Select
          label={t(($) => $.links.event)}
          allowDeselect={false}
          data={TESTED_EVENTS.map((value) => ({ value, label: t(($) => $.testers.events[value]) }))}
          value={event}
          onChange={(next) => setEvent(TESTED_EVENTS.find((name) => name === next) ?? 'reg')}
        />
        {fields.map((name) => (
          <TextInput
            key={name}
            label={t(($) => $.testers.fields[name])}
            placeholder={name}
            autoComplete="off"
            spellCheck={false}
            value={values[name] ?? ''}
            onChange={({ currentTarget: { value } }) => setValues({ ...values, [name]: value })}
          />
        ))}
      </div>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        {t(($) => $.testers.judge)}
      </Button>
      {test.data === undefined ? null : <Judgement judged={test.data} labels={labels} />}
    </section>
  )
}

function Judgement({ judged, labels }: { judged: Judged; labels: ReturnType<typeof useLabels> }) {
  const { t } = useTranslation()
  const { status, body, reason, url, attribution, calls } = judged
  const isGood = status < 400
  return (
    <div className={classes.answer} role="status" data-good={isGood}>
      <strong>{t(($) => (isGood ? $.testers.taken : $.testers.refused), { status })}</strong>
      {reason === null ? null : <p className={classes.error}>{labels.choice('postback', 'reason', reason)}</p>}
      <dl>
        <dt>{t(($) => $.links.called)}</dt>
        <dd>
          <CopyField value={url} whole />
        </dd>
        <dt>{t(($) => $.links.response)}</dt>
        <dd>
          <code className={classes.response}>{JSON.stringify(body)}</code>
        </dd>
        <dt>{labels.field('player', 'attribution')}</dt>
        <dd>{attribution === null ? <Dash /> : labels.choice('player', 'attribution', attribution)}</dd>
        <dt>{t(($) => $.testers.told)}</dt>
        <dd>{calls.length === 0 ? t(($) => $.testers.nobody) : <Calls calls={calls} labels={labels} />}</dd>
      </dl>
    </div>
  )
}

function Calls({ calls, labels }: { calls: Judged['calls']; labels: ReturnType<typeof useLabels> }) {
  return (
    <ul className={classes.calls}>
      {calls.map((call) => (
        <li key={`${call.event} ${call.method} ${call.url ?? call.reason}`}>
          <StateBadge tone={call.url === null ? 'neutral' : 'positive'}>{call.event}</StateBadge>{' '}
          {call.url === null ? (
            labels.choice('postback', 'reason', call.reason ?? '')
          ) : (
            <code className={classes.response}>{`${call.method} ${call.url}`}</code>
          )}
        </li>
      ))}
    </ul>
  )
}
