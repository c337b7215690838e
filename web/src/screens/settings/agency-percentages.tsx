// The agency percentage by dates: its ranges on a time line, added and deleted one by one. Below the settings of spends, which hold on other days.
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { NumberField } from '../../entities/field/number-field.tsx'
import type { SectionProps } from '../../entities/form/form-slots.ts'
import type { TermRow } from '../../entities/terms/term-ranges.ts'
import { TermTimeline, termText, withBase } from '../../entities/terms/term-timeline.tsx'
import { useLabels } from '../../i18n/labels.ts'
import { formatDay, isBeginning } from '../../lib/date-format.ts'
import { DayInput } from '../../ui/date/date-input.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import { FailedState } from '../../ui/states.tsx'
import classes from './agency-percentages.module.css'

const HISTORY: EntityName = 'agency_percentage_history'
const MASK = { scale: 4, isSigned: false, min: 0, max: 100 }
const EMPTY = { value: '', date_from: null as string | null, date_to: null as string | null }

/** Null for a range without this end. */
const shownDay = (day: unknown): string | null => (typeof day === 'string' && !isBeginning(day) ? formatDay(day) : null)

export function AgencyPercentages({ row }: SectionProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const list = useQuery({
    queryKey: [HISTORY, 'all'],
    queryFn: ({ signal }) => http.get<{ items: TermRow[] }>(HISTORY, { query: { limit: '-1' }, signal }),
  })
  const remove = useMutation({
    mutationFn: (id: number) => http.delete(`${HISTORY}/${id}`),
    onSuccess: () => void list.refetch(),
    onError: (error) => notifyFailure(error),
  })
  const rows = list.data?.items ?? []
  const track = { history: HISTORY, owner: null, label: labels.field(HISTORY, 'value'), rows }
  return (
    <section className={classes.panel} aria-label={labels.title(HISTORY)}>
      <h2 className={classes.title}>{labels.title(HISTORY)}</h2>
      {list.isError ? <FailedState error={list.error} onRetry={() => void list.refetch()} /> : null}
      <TermTimeline entity="setting" names={[]} row={null} others={[withBase(track, 'setting', row)]} />
      <ul className={classes.rows}>
        {rows.map((row) => (
          <li key={String(row.id)} className={classes.row}>
            <span className={classes.value}>{termText(labels, track, row, null)}</span>
            <span>
              {shownDay(row.date_from) ?? '…'} – {shownDay(row.date_to) ?? '…'}
            </span>
            <IconButton
              label={t(($) => $.actions.remove)}
              icon={IconTrash}
              onClick={() => remove.mutate(Number(row.id))}
            />
          </li>
        ))}
      </ul>
      <NewRange onSaved={() => void list.refetch()} />
    </section>
  )
}

function NewRange({ onSaved }: { onSaved: () => void }) {
  const labels = useLabels()
  const [range, setRange] = useState(EMPTY)
  const add = useMutation({
    mutationFn: () => http.post(HISTORY, range),
    onSuccess: () => {
      setRange(EMPTY)
      onSaved()
    },
    onError: (error) => notifyFailure(error),
  })
  const day = (name: 'date_from' | 'date_to') => (
    <DayInput
      label={labels.field(HISTORY, name)}
      value={range[name]}
      onChange={(next) => setRange({ ...range, [name]: next })}
    />
  )
  return (
    <div className={classes.fields}>
      <NumberField
        label={labels.field(HISTORY, 'value')}
        mask={MASK}
        value={range.value}
        onChange={(value) => setRange({ ...range, value })}
      />
      {day('date_from')}
      {day('date_to')}
      <Button
        variant="default"
        disabled={range.value === '' || range.date_from === null}
        loading={add.isPending}
        onClick={() => add.mutate()}
      >
        {labels.create(HISTORY)}
      </Button>
    </div>
  )
}
