// Filters that take several values at once which no look-up offers: texts, numbers and days.
import { Pill, TagsInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../../lib/date-format.ts'
import { DayInput } from '../../ui/date/date-input.tsx'
import classes from './filter-panel.module.css'

interface ValuesProps {
  label: string
  values: readonly string[]
  onChange: (values: readonly string[]) => void
}

/** As the wire takes a number; empty when it is none. */
export function cleanNumber(text: string): string {
  const number = text.replace(/\s/g, '').replace(',', '.')
  return /^-?\d+(\.\d+)?$/.test(number) ? number : ''
}

/** A list that was copied from elsewhere is taken apart. */
const SPLIT = [';', '|', '\n', '\t']

export function ValuesControl({
  label,
  values,
  onChange,
  clean = (text) => text.trim(),
}: ValuesProps & { clean?: (text: string) => string }) {
  const { t } = useTranslation()
  return (
    <TagsInput
      aria-label={label}
      placeholder={values.length === 0 ? t(($) => $.engine.addText) : ''}
      value={[...values]}
      splitChars={SPLIT}
      onChange={(next) => onChange([...new Set(next.map(clean).filter((text) => text !== ''))])}
    />
  )
}

export function DaysControl({ label, values, onChange }: ValuesProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.days}>
      <DayInput
        ariaLabel={label}
        value={null}
        onChange={(day) => {
          if (day !== null && !values.includes(day)) onChange([...values, day].sort())
        }}
      />
      {values.length === 0 ? null : (
        <Pill.Group>
          {values.map((day) => (
            <Pill
              key={day}
              withRemoveButton
              removeButtonProps={{ 'aria-label': t(($) => $.engine.removeDay, { day: formatDay(day) ?? day }) }}
              onRemove={() => onChange(values.filter((other) => other !== day))}
            >
              {formatDay(day) ?? day}
            </Pill>
          ))}
        </Pill.Group>
      )}
    </div>
  )
}
