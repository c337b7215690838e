// One filter of a list: the control for its kind of field, and its operator. Changes apply at once.
import { MultiSelect, Pill, SegmentedControl, TagsInput } from '@mantine/core'
import { ENTITY_NAMES, type EntityName } from '@tributary/contract/entities/registry'
import type { Condition, Operator } from '@tributary/contract/list-query'
import { formatMonth, lastDayOf } from '@tributary/contract/period'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lookupLoader } from '../../data/lookup.ts'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { formatDay } from '../../lib/date-format.ts'
import { DayInput } from '../../ui/date/date-input.tsx'
import { MonthRangePicker } from '../../ui/date/month-range-picker.tsx'
import { LookupMultiSelect } from '../../ui/lookup/lookup-multi-select.tsx'
import { entityOf, type FoundField, targetOf } from '../field/field-at.ts'
import { MonthInput } from '../field/month-input.tsx'
import { NumberField } from '../field/number-field.tsx'
import { clampNumber, type NumberMask, QUOTED_LETTERS } from '../field/number-mask.ts'
import { labelOption } from '../field/row-text.ts'
import { rememberOptions, useOptions } from '../list/list-query.ts'
import { carryValues, type FilterShape, offeredAs, offeredOperators, shapeOf } from './condition.ts'
import classes from './filter-panel.module.css'
import { PausedInput, usePausedText } from './paused-input.tsx'
import { PeriodControl } from './period-control.tsx'

interface ValuesProps {
  label: string
  values: readonly string[]
  onChange: (values: readonly string[]) => void
}

/** The wire format of a number; empty if the text is no number. */
function cleanNumber(text: string): string {
  const number = text.replace(/\s/g, '').replace(',', '.')
  return /^-?\d+(\.\d+)?$/.test(number) ? number : ''
}

/** Separators at which a pasted list is split. */
const SPLIT = [';', '|', '\n', '\t']

/** Controls of filters with several values that no look-up offers: texts, numbers and days. A text that is no value is rejected in words. */
function ValuesControl({
  label,
  values,
  onChange,
  clean = (text) => text.trim(),
}: ValuesProps & { clean?: (text: string) => string }) {
  const { t } = useTranslation()
  const [rejected, setRejected] = useState<string | null>(null)
  return (
    <TagsInput
      aria-label={label}
      placeholder={values.length === 0 ? t(($) => $.engine.addText) : ''}
      value={[...values]}
      splitChars={SPLIT}
      error={rejected === null ? undefined : t(($) => $.engine.rejected.noNumber, { text: rejected })}
      onChange={(next) => {
        setRejected(next.find((text) => text.trim() !== '' && clean(text) === '')?.slice(0, QUOTED_LETTERS) ?? null)
        onChange([...new Set(next.map(clean).filter((text) => text !== ''))])
      }}
    />
  )
}

/** A day, or a month as its first day. */
function OneDayControl({ label, isMonth, value, onChange }: Omit<DaysProps, 'values' | 'onChange'> & OneDay) {
  return isMonth ? (
    <MonthInput aria-label={label} disabled={false} withAsterisk={false} value={value} onChange={onChange} />
  ) : (
    <DayInput ariaLabel={label} value={value} onChange={onChange} />
  )
}

interface OneDay {
  value: string | null
  onChange: (day: string | null) => void
}

interface DaysProps extends ValuesProps {
  isMonth: boolean
}

function DaysControl({ label, isMonth, values, onChange }: DaysProps) {
  const { t } = useTranslation()
  const nameOf = (day: string): string => (isMonth ? formatMonth(day, currentLanguage()) : formatDay(day)) ?? day
  return (
    <div className={classes.days}>
      <OneDayControl
        label={label}
        isMonth={isMonth}
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
              removeButtonProps={{ 'aria-label': t(($) => $.engine.removeDay, { day: nameOf(day) }) }}
              onRemove={() => onChange(values.filter((other) => other !== day))}
            >
              {nameOf(day)}
            </Pill>
          ))}
        </Pill.Group>
      )}
    </div>
  )
}

/** A period of months; as days, from the first of one to the last of the other. */
function MonthsControl({ label, values: [from = '', to = from], onChange }: ValuesProps) {
  return (
    <MonthRangePicker
      label={label}
      from={from.slice(0, 7)}
      to={to.slice(0, 7)}
      onChange={(months) => onChange([`${months.from}-01`, lastDayOf(months.to)])}
    />
  )
}

interface FilterControlProps {
  /** The entity of the list. */
  name: EntityName
  path: string
  found: FoundField
  condition: Condition | undefined
  onChange: (operator: Operator, values: readonly string[]) => void
}

const controlId = (path: string) => `filter-${path.replaceAll('.', '-')}`

/** Scrolls a filter of the open panel into view and focuses it; false if the panel is not rendered. */
export function focusFilter(path: string): boolean {
  const box = document.getElementById(controlId(path))
  box?.scrollIntoView({ block: 'nearest' })
  box?.querySelector<HTMLElement>('input, .focusable, button')?.focus()
  return box !== null
}

/** One filter of the panel: the control for its kind of field, with the operator beside the label. */
export function FilterControl({ name, path, found, condition, onChange }: FilterControlProps) {
  const labels = useLabels()
  // An operator that was selected before the first value.
  const [chosen, choose] = useState<Operator | null>(null)
  const shape = shapeOf(found.field)
  if (shape === null) return null
  const operators = offeredOperators(found.field)
  const offered = condition === undefined ? chosen : offeredAs(condition.operator, operators)
  const operator = offered ?? operators[0] ?? 'eq'
  const label = labels.field(name, path)
  const values = condition?.values ?? []
  const compare = (next: Operator) => {
    choose(next)
    if (values.length > 0) onChange(next, carryValues(shape, operator, next, values))
  }
  return (
    <fieldset className={classes.control} id={controlId(path)} aria-label={label}>
      <div className={classes.head}>
        <span className={classes.label}>{label}</span>
        <OperatorChoice label={label} shape={shape} operators={operators} operator={operator} onChange={compare} />
      </div>
      <Control
        shape={shape}
        label={label}
        found={found}
        operator={operator}
        values={condition?.operator === 'nin' && shape === 'flag' ? values.map(turn) : values}
        onChange={(next) => onChange(operator, next)}
      />
    </fieldset>
  )
}

/** Any value other than '1' counts as off. */
const turn = (value: string): string => (value === '1' ? '0' : '1')

interface OperatorChoiceProps {
  label: string
  shape: FilterShape
  operators: readonly Operator[]
  operator: Operator
  onChange: (operator: Operator) => void
}

function OperatorChoice({ label, shape, operators, operator, onChange }: OperatorChoiceProps) {
  const { t } = useTranslation()
  if (operators.length < 2) return null
  const wordOf = (known: Operator): string => {
    if (known === 'gt' && shape === 'days') return t(($) => $.engine.after)
    if (known === 'gt' && shape === 'options') return t(($) => $.engine.idAbove)
    return known === 'like' && shape === 'options'
      ? t(($) => $.engine.titleContains)
      : t(($) => $.engine.operators[known])
  }
  return (
    <select
      className={classes.operator}
      aria-label={t(($) => $.engine.filterOperator, { field: label })}
      value={operator}
      onChange={(event) => {
        const next = operators.find((known) => known === event.currentTarget.value)
        if (next) onChange(next)
      }}
    >
      {operators.map((known) => (
        <option key={known} value={known}>
          {wordOf(known)}
        </option>
      ))}
    </select>
  )
}

interface ControlProps {
  shape: FilterShape
  label: string
  found: FoundField
  operator: Operator
  values: readonly string[]
  onChange: (values: readonly string[]) => void
}

const isMany = (operator: Operator): boolean => operator === 'in' || operator === 'nin'

function Control(props: ControlProps) {
  const { shape, label, operator, values, onChange } = props
  switch (shape) {
    case 'text':
      return isMany(operator) ? <ValuesControl {...props} /> : <TextControl {...props} />
    case 'options':
      if (operator === 'like') return <TextControl {...props} />
      return operator === 'gt' ? <NumberControl {...props} /> : <OptionsControl {...props} />
    case 'choices':
      return <ChoicesControl {...props} />
    case 'flag':
      return <FlagControl {...props} />
    case 'numbers':
      if (operator === 'bwn') return <NumbersControl {...props} />
      return isMany(operator) ? <ValuesControl {...props} clean={cleanNumber} /> : <NumberControl {...props} />
    case 'days': {
      const { field } = props.found
      const isMonth = field.kind === 'date' && field.isMonth === true
      if (operator === 'eq' || operator === 'gt')
        return (
          <OneDayControl
            label={label}
            isMonth={isMonth}
            value={values[0] ?? null}
            onChange={(day) => onChange(day === null ? [] : [day])}
          />
        )
      if (isMany(operator)) return <DaysControl {...props} isMonth={isMonth} />
      if (isMonth) return <MonthsControl label={label} values={values} onChange={onChange} />
      return <PeriodControl label={label} hasTimes={field.kind === 'datetime'} values={values} onChange={onChange} />
    }
  }
}

const TextControl = ({ label, values, onChange }: ControlProps) => (
  <PausedInput aria-label={label} value={values[0] ?? ''} onCommit={(text) => onChange([text])} />
)

const NumberControl = ({ label, found, values, onChange }: ControlProps) => (
  <NumberInput label={label} mask={maskOf(found)} value={values[0] ?? ''} onCommit={(text) => onChange([text])} />
)

function OptionsControl({ label, found, values, onChange }: ControlProps) {
  const target = targetOf(found.field)
  return target === null ? null : <TargetOptions label={label} target={target} values={values} onChange={onChange} />
}

function TargetOptions({
  label,
  target,
  values,
  onChange,
}: Pick<ControlProps, 'label' | 'values' | 'onChange'> & { target: EntityName }) {
  const options = useOptions(target, values)
  return (
    <LookupMultiSelect
      ariaLabel={label}
      values={options}
      load={lookupLoader(target)}
      labelOf={(option) => labelOption(target, option)}
      onChange={(chosen) => {
        rememberOptions(target, chosen)
        onChange(chosen.map(({ id }) => String(id)))
      }}
    />
  )
}

function ChoicesControl({ label, found, values, onChange }: ControlProps) {
  const labels = useLabels()
  const { t } = useTranslation()
  const { field } = found
  const data =
    field.kind === 'choice' || field.kind === 'choices'
      ? field.options.map((option) => ({ value: option, label: labels.choice(found.entity, found.name, option) }))
      : ENTITY_NAMES.map((entity) => ({ value: entity, label: labels.title(entity) }))
  return (
    <MultiSelect
      aria-label={label}
      data={data}
      value={[...values]}
      placeholder={values.length === 0 ? t(($) => $.select.any) : ''}
      onChange={onChange}
      searchable
      nothingFoundMessage={t(($) => $.select.nothing)}
    />
  )
}

function FlagControl({ label, found, values, onChange }: ControlProps) {
  const { t } = useTranslation()
  const isState = found.name === 'active' || entityOf(found.entity).fields[found.name] === undefined
  const [yes, no] = isState
    ? [t(($) => $.list.activeOnly), t(($) => $.list.inactiveOnly)]
    : [t(($) => $.values.yes), t(($) => $.values.no)]
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={label}
      value={values[0] ?? ''}
      data={[
        { value: '', label: t(($) => $.list.activeAny) },
        { value: '1', label: yes },
        { value: '0', label: no },
      ]}
      onChange={(value) => onChange(value === '' ? [] : [value])}
    />
  )
}

function NumbersControl({ label, found, values, onChange }: ControlProps) {
  const { t } = useTranslation()
  const [from = '', to = ''] = values
  const mask = maskOf(found)
  return (
    <div className={classes.pair}>
      <NumberInput
        label={`${label}, ${t(($) => $.period.from)}`}
        placeholder={t(($) => $.period.from)}
        mask={mask}
        value={from}
        onCommit={(text) => onChange([text, to])}
      />
      <NumberInput
        label={`${label}, ${t(($) => $.period.to)}`}
        placeholder={t(($) => $.period.to)}
        mask={mask}
        value={to}
        onCommit={(text) => onChange([from, text])}
      />
    </div>
  )
}

/** Bounds of the field are those of stored values; a filter may lie beyond them. Ids are whole numbers. */
const maskOf = ({ field }: FoundField): NumberMask =>
  field.kind === 'decimal' ? { scale: field.scale, isSigned: true } : { scale: 0, isSigned: field.kind === 'integer' }

interface NumberInputProps {
  label: string
  placeholder?: string
  mask: NumberMask
  value: string
  onCommit: (text: string) => void
}

function NumberInput({ label, placeholder, mask, value, onCommit }: NumberInputProps) {
  const { shown, type, settle, leave } = usePausedText(value, onCommit)
  return (
    <NumberField
      aria-label={label}
      placeholder={placeholder}
      mask={mask}
      value={shown}
      onChange={type}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle(clampNumber(shown, mask))
      }}
      onBlur={() => leave(clampNumber(shown, mask))}
    />
  )
}
