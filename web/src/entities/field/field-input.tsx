// The input of each kind of field, independent of forms.
import {
  Autocomplete,
  MultiSelect,
  Select,
  Switch,
  TagsInput,
  Textarea,
  type TextareaProps,
  TextInput,
} from '@mantine/core'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { DayInput, MomentInput } from '../../ui/date/date-input.tsx'
import classes from '../form/form.module.css'
import type { FieldSlots } from '../form/form-slots.ts'
import { MonthInput } from './month-input.tsx'
import { NumberField } from './number-field.tsx'
import type { NumberMask } from './number-mask.ts'
import { ManyField, OneField } from './reference-field.tsx'

export interface FieldInputProps {
  entity: EntityName
  name: string
  field: Field
  slots: FieldSlots
  label: string | undefined
  ariaLabel: string
  description: string | undefined
  value: unknown
  error: ReactNode
  disabled: boolean
  required: boolean
  /** Shown behind a number: '%' or a currency. */
  unit?: string | undefined
  onChange: (value: unknown) => void
  onBlur: () => void
}

/** All time zones, common ones first. The server accepts further names that its databases know. */
const ZONES = [
  ...Intl.supportedValuesOf('timeZone'),
  'UTC',
  ...Array.from({ length: 12 }, (_, hours) => [`Etc/GMT-${hours + 1}`, `Etc/GMT+${hours + 1}`]).flat(),
].filter((zone, index, all) => all.indexOf(zone) === index)

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const textsOf = (value: unknown) => (Array.isArray(value) ? (value as string[]) : [])

/** The mask of a number; negative numbers are allowed unless the field has a minimum of 0 or more. */
function maskOf(field: Extract<Field, { kind: 'integer' | 'decimal' }>): NumberMask {
  const { min, max } = field
  return { scale: field.kind === 'decimal' ? field.scale : 0, isSigned: min === undefined || min < 0, min, max }
}

/** Room for the unit, which screen readers hear as part of the label elsewhere. */
const unitSection = (unit: string) => ({
  rightSection: (
    <span className={classes.unit} aria-hidden>
      {unit}
    </span>
  ),
  rightSectionWidth: 18 + unit.length * 8,
  rightSectionPointerEvents: 'none' as const,
})

export function FieldInput(props: FieldInputProps) {
  const { field, label, ariaLabel, description, value, error, disabled, required, onChange, onBlur } = props
  const Own = props.slots.input
  if (Own !== undefined) return <Own {...props} />
  const shared = { label, description, error, disabled, withAsterisk: required, onBlur }
  const named = { ...shared, 'aria-label': label === undefined ? ariaLabel : undefined }
  switch (field.kind) {
    case 'text':
      return field.format === 'long' ? (
        <Textarea {...named} value={textOf(value)} onChange={(event) => onChange(event.currentTarget.value)} />
      ) : field.format === 'template' ? (
        <LongLine {...named} value={textOf(value)} onChange={onChange} />
      ) : field.format === 'zone' ? (
        <Autocomplete {...named} data={ZONES} limit={40} value={textOf(value)} onChange={onChange} />
      ) : field.format === 'month' ? (
        <MonthInput
          {...named}
          value={textOf(value) === '' ? null : `${textOf(value)}-01`}
          onChange={(month) => onChange(month?.slice(0, 7) ?? '')}
        />
      ) : (
        <TextInput
          {...named}
          placeholder={field.format === 'time' ? '09:30' : undefined}
          autoComplete="off"
          spellCheck={field.format === undefined || field.format === 'plain'}
          value={textOf(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'integer':
    case 'decimal':
      return (
        <NumberField
          {...named}
          mask={maskOf(field)}
          value={textOf(value)}
          onChange={onChange}
          {...(props.unit === undefined ? {} : unitSection(props.unit))}
        />
      )
    case 'boolean':
      return (
        <div className={label === undefined ? undefined : classes.switch}>
          <Switch
            label={label}
            aria-label={named['aria-label']}
            error={error}
            disabled={disabled}
            checked={value === true}
            onBlur={onBlur}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
        </div>
      )
    case 'date':
      return field.isMonth === true ? (
        <MonthInput {...named} value={typeof value === 'string' ? value : null} onChange={onChange} />
      ) : (
        <DayInput
          {...shared}
          ariaLabel={named['aria-label']}
          required={required}
          value={typeof value === 'string' ? value : null}
          onChange={onChange}
          onDraft={onChange}
        />
      )
    case 'datetime':
      return (
        <MomentInput
          {...shared}
          ariaLabel={named['aria-label']}
          required={required}
          value={typeof value === 'string' ? value : null}
          onChange={onChange}
        />
      )
    case 'choice':
    case 'choices':
      return <ChoiceField {...props} />
    case 'texts':
      return <TextsField {...props} />
    case 'reference':
      return <OneField {...props} />
    case 'references':
      return <ManyField {...props} />
    case 'children':
    case 'derived':
    case 'json':
    case 'uuid':
      return null
  }
}

/** A one-line text that wraps if it is longer than its field. */
function LongLine({ onChange, ...shared }: Omit<TextareaProps, 'onChange'> & { onChange: (value: string) => void }) {
  return (
    <Textarea
      {...shared}
      autosize
      minRows={1}
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: classes.longLine ?? '' }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault()
      }}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\s*[\r\n]+\s*/g, ''))}
    />
  )
}

function ChoiceField(props: FieldInputProps) {
  const { entity, name, field, label, ariaLabel, description, value, error, disabled, required, onChange, onBlur } =
    props
  const labels = useLabels()
  const { t } = useTranslation()
  if (field.kind !== 'choice' && field.kind !== 'choices') return null
  const shared = {
    label,
    description,
    error,
    disabled,
    onBlur,
    withAsterisk: required,
    'aria-label': label === undefined ? ariaLabel : undefined,
    data: field.options.map((option) => ({ value: option, label: labels.choice(entity, name, option) })),
    nothingFoundMessage: t(($) => $.select.nothing),
  }
  if (field.kind === 'choices') return <MultiSelect {...shared} searchable value={textsOf(value)} onChange={onChange} />
  return (
    <Select
      {...shared}
      value={typeof value === 'string' ? value : null}
      allowDeselect={!required}
      clearable={!required}
      placeholder={t(($) => $.select.placeholder)}
      onChange={onChange}
    />
  )
}

function TextsField({
  label,
  ariaLabel,
  description,
  value,
  error,
  disabled,
  required,
  onChange,
  onBlur,
}: FieldInputProps) {
  const { t } = useTranslation()
  return (
    <TagsInput
      label={label}
      aria-label={label === undefined ? ariaLabel : undefined}
      description={description}
      error={error}
      disabled={disabled}
      withAsterisk={required}
      placeholder={textsOf(value).length === 0 ? t(($) => $.engine.addText) : ''}
      value={textsOf(value)}
      splitChars={[',', ' ', ';']}
      acceptValueOnBlur
      onBlur={onBlur}
      onChange={onChange}
    />
  )
}
