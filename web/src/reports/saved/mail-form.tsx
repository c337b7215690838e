// The mail schedule of a saved report for the current user, and its deliveries.

import { Button, NativeSelect, NumberInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReportDelivery, SavedReport, SchedulePeriod } from '@tributary/contract/reports/saved'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { queryClient } from '../../data/query-client.ts'
import { useReportWords } from '../../i18n/labels.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import { businessZone } from '../../state/profile-facts.ts'
import { TimeInput } from '../../ui/date/time-input.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import { onSubmit } from '../../ui/submit.ts'
import classes from './saved-panel.module.css'
import { deliveriesQuery, refreshSaved } from './saved-query.ts'

const SCHEDULE_PERIODS: readonly SchedulePeriod[] = ['day', 'week', 'month']
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const
const at = (moment: string) => formatDateTime(moment, businessZone()) ?? ''

export function MailForm({ saved, onBack }: { saved: SavedReport; onBack: () => void }) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const { schedule } = saved
  const isOn = schedule !== null && schedule.ended_at === null
  const [every, setEvery] = useState<SchedulePeriod>(schedule?.every ?? 'day')
  const [weekday, setWeekday] = useState(schedule?.weekday ?? 1)
  const [monthday, setMonthday] = useState(schedule?.monthday ?? 1)
  const [time, setTime] = useState(schedule?.at_time ?? '08:00')
  const [format, setFormat] = useState(schedule?.format ?? 'xlsx')
  const [isBusy, setBusy] = useState(false)
  const act = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await work()
      notifySuccess(done)
    } catch (error) {
      notifyFailure(error)
    }
    await Promise.all([refreshSaved(), queryClient.invalidateQueries({ queryKey: ['report_delivery'] })])
    setBusy(false)
  }
  const path = `saved_report/${saved.id}`
  const plan = {
    every,
    ...(every === 'week' && { weekday }),
    ...(every === 'month' && { monthday }),
    at_time: time,
    format,
  }
  return (
    <form
      className={classes.form}
      onSubmit={onSubmit(() => act(() => http.put(`${path}/schedule`, plan), words.saved.done))}
    >
      <h3 className={classes.heading}>{t(($) => $.mail.title, { name: saved.title })}</h3>
      <p className={classes.note}>{words.mail.hint}</p>
      <div className={classes.fields}>
        <NativeSelect
          label={words.mail.every}
          data={SCHEDULE_PERIODS.map((value) => ({ value, label: words.mail.periods[value] }))}
          value={every}
          onChange={({ currentTarget }) =>
            setEvery(SCHEDULE_PERIODS.find((one) => one === currentTarget.value) ?? 'day')
          }
        />
        {every === 'week' ? (
          <NativeSelect
            label={words.mail.weekday}
            data={WEEKDAYS.map((day) => ({ value: String(day), label: words.mail.weekdays[`d${day}`] }))}
            value={String(weekday)}
            onChange={({ currentTarget }) => setWeekday(Number(currentTarget.value))}
          />
        ) : null}
        {every === 'month' ? (
          <NumberInput
            label={words.mail.monthday}
            min={1}
            max={31}
            clampBehavior="strict"
            value={monthday}
            onChange={(value) => setMonthday(Number(value) || 1)}
          />
        ) : null}
        <TimeInput
          required
          label={words.mail.time}
          value={time}
          onChange={(next) => {
            if (next !== '') setTime(next)
          }}
        />
        <NativeSelect
          label={words.mail.format}
          data={['xlsx', 'csv']}
          value={format}
          onChange={({ currentTarget }) => setFormat(currentTarget.value === 'csv' ? 'csv' : 'xlsx')}
        />
      </div>
      <p className={classes.note} aria-live="polite">
        {isOn ? t(($) => $.mail.next, { time: at(schedule.next_at) }) : null}
        {schedule?.ended_at ? t(($) => $.mail.ended, { reason: reasonOf(words, schedule.end_reason) }) : null}
      </p>
      <div className={classes.buttons}>
        <Button variant="default" size="compact-sm" onClick={onBack}>
          {words.saved.cancel}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          disabled={isBusy}
          onClick={() => void act(() => http.post(`${path}/send`, { format }), words.saved.sent)}
        >
          {words.mail.now}
        </Button>
        {isOn ? (
          <Button
            variant="default"
            size="compact-sm"
            disabled={isBusy}
            onClick={() => void act(() => http.delete(`${path}/schedule`), words.saved.done)}
          >
            {words.mail.stop}
          </Button>
        ) : null}
        <Button type="submit" size="compact-sm" loading={isBusy}>
          {isOn ? words.saved.create : words.mail.start}
        </Button>
      </div>
      <Deliveries saved={saved} />
    </form>
  )
}

function reasonOf(words: ReturnType<typeof useReportWords>, reason: string | null): string {
  const known: Readonly<Record<string, string>> = words.mail.reasons
  return known[reason ?? ''] ?? reason ?? ''
}

const TONES = {
  waiting: 'neutral',
  sending: 'accent',
  sent: 'positive',
  failed: 'negative',
  skipped: 'warning',
} as const

function Deliveries({ saved }: { saved: SavedReport }) {
  const words = useReportWords()
  const { data = [] } = useQuery(deliveriesQuery(saved.id))
  return (
    <section>
      <h4 className={classes.heading}>{words.mail.deliveries}</h4>
      {data.length === 0 ? <p className={classes.note}>{words.mail.noDeliveries}</p> : null}
      <ul className={classes.deliveries}>
        {data.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} />
        ))}
      </ul>
    </section>
  )
}

function Delivery({ delivery }: { delivery: ReportDelivery }) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const { status, error, rows } = delivery
  return (
    <li>
      <span>{at(delivery.due_at)}</span>
      <StateBadge tone={TONES[status]}>{words.mail.statuses[status]}</StateBadge>
      <span className={classes.quiet}>
        {rows === null ? null : t(($) => $.mail.rows, { count: rows })}
        {error === null ? null : reasonOf(words, error)}
      </span>
    </li>
  )
}
