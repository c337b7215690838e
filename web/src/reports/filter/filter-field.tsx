// One filter: its name, its mode (only these, all but these, contains), and its values.
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { Period } from '@tributary/contract/period'
import { type ReportFilterName, reportFilterOf } from '@tributary/contract/reports/choices'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { DateRangePicker } from '../../ui/date/date-range-picker.tsx'
import { LookupMultiSelect } from '../../ui/lookup/lookup-multi-select.tsx'
import { entityOf, loadOptionsOf, rememberOptions, useOptions } from './filter-options.ts'
import classes from './filter-panel.module.css'
import type { Narrowing, NarrowingMode } from './filter-state.ts'

interface FilterFieldProps {
  name: ReportFilterName
  narrowing: Narrowing | null
  /** The report's period, the initial value of filters that are periods. */
  period: Period
  onChange: (narrowing: Narrowing | null) => void
}

export function FilterField(props: FilterFieldProps) {
  const { kind } = reportFilterOf(props.name)
  return kind === 'period' ? <PeriodField {...props} /> : <ValuesField {...props} />
}

function ValuesField({ name, narrowing, onChange }: FilterFieldProps) {
  const words = useReportWords()
  const { kind, hasValues } = reportFilterOf(name)
  // Local state, so that the mode can be set before the first value.
  const [mode, setMode] = useState<NarrowingMode>(narrowing?.mode ?? 'in')
  const current = narrowing?.mode ?? mode
  const choose = (next: NarrowingMode) => {
    setMode(next)
    // Search texts and list values are not interchangeable, so switching between them clears the filter.
    if (narrowing) onChange((next === 'like') === (narrowing.mode === 'like') ? { ...narrowing, mode: next } : null)
  }
  return (
    <div className={classes.field}>
      <div className={classes.head}>
        <span className={classes.name}>{words.filters[name]}</span>
        <ModeChoice name={name} mode={current} hasLike={kind === 'texts'} onChoose={choose} />
      </div>
      {current === 'like' || (kind === 'texts' && !hasValues) ? (
        <TextField key={current} name={name} mode={current} narrowing={narrowing} onChange={onChange} />
      ) : (
        <OptionsField name={name} mode={current} narrowing={narrowing} onChange={onChange} />
      )}
    </div>
  )
}

interface ModeChoiceProps {
  name: ReportFilterName
  mode: NarrowingMode
  hasLike: boolean
  onChoose: (mode: NarrowingMode) => void
}

function ModeChoice({ name, mode, hasLike, onChoose }: ModeChoiceProps) {
  const words = useReportWords()
  const labels: Record<NarrowingMode, string> = {
    in: words.filterPanel.is,
    nin: words.filterPanel.isNot,
    like: words.filterPanel.contains,
  }
  const modes: NarrowingMode[] = hasLike ? ['in', 'nin', 'like'] : ['in', 'nin']
  return (
    <fieldset className={classes.modes} aria-label={words.filters[name]}>
      {modes.map((option) => (
        <button
          key={option}
          type="button"
          className={classes.mode}
          aria-pressed={option === mode}
          onClick={() => onChoose(option)}
        >
          {labels[option]}
        </button>
      ))}
    </fieldset>
  )
}

interface ModeFieldProps {
  name: ReportFilterName
  mode: NarrowingMode
  narrowing: Narrowing | null
  onChange: (narrowing: Narrowing | null) => void
}

function OptionsField({ name, mode, narrowing, onChange }: ModeFieldProps) {
  const words = useReportWords()
  const { notSelected } = words.filterPanel
  const options = useOptions(name, narrowing?.values ?? [], notSelected)
  return (
    <LookupMultiSelect
      ariaLabel={words.filters[name]}
      placeholder={words.filterPanel.any}
      values={options}
      load={loadOptionsOf(name, notSelected)}
      onChange={(chosen) => {
        const entity = entityOf(name)
        if (entity !== null) rememberOptions(entity, chosen)
        onChange(chosen.length === 0 ? null : { mode, values: chosen.map(({ id }) => id) })
      }}
    />
  )
}

/** One search text, or several values divided by commas; applied on blur or Enter. */
function TextField({ name, mode, narrowing, onChange }: ModeFieldProps) {
  const words = useReportWords()
  const before = narrowing?.values.join(', ') ?? ''
  const [text, setText] = useState(before)
  const take = () => {
    const values = (mode === 'like' ? [text] : text.split(',')).map((value) => value.trim()).filter(Boolean)
    if (values.join(', ') !== before) onChange(values.length === 0 ? null : { mode, values })
  }
  return (
    <TextInput
      aria-label={words.filters[name]}
      placeholder={words.filterPanel.anyText}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take()
      }}
    />
  )
}

function PeriodField({ name, narrowing, period, onChange }: FilterFieldProps) {
  const { t } = useTranslation()
  const words = useReportWords()
  const [from, to] = narrowing?.values.map(String) ?? []
  const set = (next: Period) => onChange({ mode: 'in', values: [next.from, next.to] })
  return (
    <div className={classes.field}>
      <div className={classes.head}>
        <span className={classes.name}>{words.filters[name]}</span>
      </div>
      {from === undefined || to === undefined ? (
        <Button variant="default" size="compact-sm" onClick={() => set(period)}>
          {words.filterPanel.any}
        </Button>
      ) : (
        <div className={classes.period}>
          <DateRangePicker from={from} to={to} label={words.filters[name]} onChange={set} />
          <ActionIcon
            size={28}
            aria-label={`${t(($) => $.actions.remove)}: ${words.filters[name]}`}
            onClick={() => onChange(null)}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </div>
      )}
    </div>
  )
}
