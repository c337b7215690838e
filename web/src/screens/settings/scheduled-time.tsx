// The input of a time at which a job runs, with its last and next run below. Times are in UTC, as they are set.
import { useQuery } from '@tanstack/react-query'
import type { Schedule, ScheduleName } from '@tributary/contract/calls/schedule'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { FieldInput, type FieldInputProps } from '../../entities/field/field-input.tsx'
import { formatDateTime } from '../../lib/date-format.ts'

// A query of the entity, so that saved settings reload it.
const KEY = [...keys.entity('setting'), 'schedules'] as const
const NO_OWN_INPUT = {}

const inUtc = (at: string): string => `${formatDateTime(at, 'UTC') ?? ''} UTC`

export function ScheduledTime(props: FieldInputProps) {
  const describe = useDescription()
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => http.get<{ items: Schedule[] }>('schedule', { signal }),
  })
  const schedule = data?.items.find(({ name }) => name === props.name)
  return (
    <FieldInput
      {...props}
      slots={NO_OWN_INPUT}
      {...(schedule === undefined ? {} : { description: describe(schedule) })}
    />
  )
}

function useDescription(): (schedule: Schedule) => string {
  const { t } = useTranslation()
  const lastRun = (name: ScheduleName, at: string, count: number | null): string => {
    if (count === null) return t(($) => $.settings.last, { at })
    return name === 'alert_mail_time'
      ? t(($) => $.settings.lastMails, { at, mails: count })
      : t(($) => $.settings.lastFiles, { at, count })
  }
  return ({ name, last_at, running_since, count, failure, next_at, off }) =>
    [
      last_at !== null
        ? lastRun(name, inUtc(last_at), count)
        : running_since === null
          ? t(($) => $.settings.never)
          : [],
      failure === null ? [] : t(($) => $.settings.failed, { reason: failure }),
      running_since === null ? [] : t(($) => $.settings.running, { at: inUtc(running_since) }),
      next_at === null ? [] : t(($) => $.settings.next, { at: inUtc(next_at) }),
      off === null ? [] : t(($) => $.settings.off[off]),
    ]
      .flat()
      .join('; ')
}
