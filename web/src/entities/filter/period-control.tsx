// The filter of a period: days, and for moments the times at which it begins and ends.
import { useTranslation } from 'react-i18next'
import { DateRangePicker } from '../../ui/date/date-range-picker.tsx'
import { TimeInput } from '../../ui/date/time-input.tsx'
import classes from './filter-panel.module.css'

const dayPart = (moment: string) => moment.slice(0, 10)
const timePart = (moment: string) => moment.slice(11, 16)
const momentOf = (day: string, time: string) => (day === '' || time === '' ? day : `${day} ${time}`)

interface PeriodControlProps {
  label: string
  /** The values are moments, not days. */
  hasTimes: boolean
  values: readonly string[]
  onChange: (values: string[]) => void
}

/** A period of days. Of moments it may begin and end at a time, in the business zone. */
export function PeriodControl({ label, hasTimes, values, onChange }: PeriodControlProps) {
  const { t } = useTranslation()
  const [from = '', to = from] = values
  const period = (
    <DateRangePicker
      label={label}
      from={dayPart(from)}
      to={dayPart(to)}
      onChange={(days) => onChange([momentOf(days.from, timePart(from)), momentOf(days.to, timePart(to))])}
    />
  )
  if (!hasTimes || from === '') return period
  const ends = [
    {
      name: t(($) => $.engine.timeFrom),
      moment: from,
      whole: '00:00',
      set: (moment: string) => onChange([moment, to]),
    },
    { name: t(($) => $.engine.timeTo), moment: to, whole: '23:59', set: (moment: string) => onChange([from, moment]) },
  ]
  return (
    <>
      {period}
      <div className={classes.times}>
        {ends.map(({ name, moment, whole, set }) => (
          <TimeInput
            key={name}
            size="xs"
            aria-label={`${label}: ${name}`}
            leftSection={<span className={classes.timeName}>{name}</span>}
            leftSectionWidth={44}
            placeholder={whole}
            value={timePart(moment)}
            onChange={(time) => set(momentOf(dayPart(moment), time))}
          />
        ))}
      </div>
    </>
  )
}
