// One field of a form except collections. Errors appear once the field was changed, or after a submit.
import type { EntityName } from '@tributary/contract/entities/registry'
import { type Field, unitOf } from '@tributary/contract/field'
import { useController, useFormContext, useFormState, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { currentWords } from '../../i18n/language.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { LinkField } from '../../ui/link-field.tsx'
import { FieldInput } from '../field/field-input.tsx'
import { currencyOf, FieldValue } from '../field/field-value.tsx'
import classes from './form.module.css'
import { type FormRow, isSettable } from './form-row.ts'
import { useDependents, useFieldSlots } from './form-slots.ts'

interface StaticFieldProps {
  entity: EntityName
  name: string
  path: string
  field: Field
  isBare: boolean
}

/** A read-only field of a form; links and codes have a copy button. */
function StaticField({ entity, name, path, field, isBare }: StaticFieldProps) {
  const labels = useLabels()
  const currencyField = (field.kind === 'decimal' && field.currencyField) || 'currency'
  const prefix = path.slice(0, path.lastIndexOf('.') + 1)
  const [value, currency] = useWatch<FormRow>({ name: [path, `${prefix}${currencyField}`] })
  const label = labels.field(entity, name)
  const isCode = field.kind === 'derived' || field.kind === 'uuid'
  const text = typeof value === 'string' ? value : null
  const shown = isCode ? (
    field.kind === 'derived' && field.shows === 'link' && !isBare ? (
      <LinkField value={text} label={label} />
    ) : (
      <CopyField value={text} label={label} />
    )
  ) : (
    <FieldValue
      labels={labels}
      entity={entity}
      name={name}
      field={field}
      value={value}
      row={{ [currencyField]: currency }}
    />
  )
  if (isBare) return shown
  return (
    <div className={field.kind === 'derived' ? classes.wide : undefined}>
      <div className={classes.label}>{label}</div>
      <div className={classes.static}>{shown}</div>
    </div>
  )
}

/** The place of an input in a form. */
export interface FormFieldProps {
  entity: EntityName
  /** The field's name in its entity. */
  name: string
  /** Its path in the form: 'rates.2.date'. */
  path: string
  field: Field
  isNew: boolean
  isLocked: boolean
  /** Hides the label, in tables whose header has it. */
  isBare?: boolean
}

/** The input of a field with its label and error; plain text if the user may not set it, nothing in a new row. */
export function FormField(props: FormFieldProps) {
  const { entity, name, path, field, isNew, isBare = false } = props
  const { isReadOnly } = useFieldSlots(path)
  const { defaultValues } = useFormState<FormRow>()
  if (!isSettable(field, true) || isReadOnly?.(isNew ? undefined : defaultValues?.[path]))
    return isNew ? null : <StaticField entity={entity} name={name} path={path} field={field} isBare={isBare} />
  return <Controlled {...props} />
}

/** The unit of a decimal: by the fields beside it, and the currency of the line or else of the form. */
function useUnit(field: Field, path: string): string | undefined {
  const prefix = path.slice(0, path.lastIndexOf('.') + 1)
  const other = field.kind === 'decimal' ? field.percentWhen?.field : undefined
  const [own, whole, choice] = useWatch<FormRow>({
    name: [`${prefix}currency`, 'currency', `${prefix}${other ?? 'currency'}`],
  })
  if (field.kind !== 'decimal') return undefined
  const unit = unitOf(field, other === undefined ? undefined : { [other]: choice })
  if (unit === 'percent') return '%'
  return unit === 'money' ? (currencyOf({ currency: own }) ?? currencyOf({ currency: whole }) ?? undefined) : undefined
}

function Controlled({ entity, name, path, field, isNew, isLocked, isBare = false }: FormFieldProps) {
  const labels = useLabels()
  const { t } = useTranslation()
  const { control, setValue } = useFormContext<FormRow>()
  const slots = useFieldSlots(path)
  const dependents = useDependents(path)
  const {
    field: { value, onChange, onBlur },
    fieldState: { error, isDirty, isTouched },
    formState: { isSubmitted },
  } = useController({ control, name: path })
  const unit = useUnit(field, path)
  const isFixed = field.fixed === true && !isNew
  const filledBy = isNew ? slots.filledBy?.(currentWords().nouns) : undefined
  const hint = slots.hint?.(currentWords().nouns)
  const label = labels.field(entity, name)
  // In a new line every field differs from its loaded value, so only a visited field counts as changed.
  const isChanged = isBare && isNew ? isTouched : isDirty
  return (
    <FieldInput
      entity={entity}
      name={name}
      field={field}
      slots={slots}
      label={isBare ? undefined : label}
      ariaLabel={label}
      description={isFixed && !isBare && !isLocked ? t(($) => $.engine.fixedHint) : (filledBy ?? hint)}
      value={value}
      unit={unit}
      error={isChanged || isSubmitted || error?.type === 'server' ? error?.message : undefined}
      disabled={isLocked || isFixed}
      required={slots.isRequired?.() ?? (field.required === true && field.kind !== 'boolean' && filledBy === undefined)}
      onBlur={onBlur}
      onChange={(next) => {
        onChange(next)
        for (const dependent of dependents) setValue(dependent, null, { shouldDirty: true })
      }}
    />
  )
}
