// One field of a form except collections. Errors appear once the field was changed, or after a submit.
import { Link } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { type Field, unitOf } from '@tributary/contract/field'
import { fieldDefinition } from '@tributary/contract/words/definition'
import { type ReactNode, useContext } from 'react'
import { useController, useFormContext, useFormState, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useDefinitions } from '../../i18n/definitions.ts'
import { useLabels } from '../../i18n/labels.ts'
import { currentWords } from '../../i18n/language.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { Definition } from '../../ui/definition.tsx'
import { LinkField } from '../../ui/link-field.tsx'
import { entityName } from '../field/field-at.ts'
import { FieldInput } from '../field/field-input.tsx'
import { currencyOf, FieldValue } from '../field/field-value.tsx'
import { recordPath } from '../field/row-link.ts'
import classes from './form.module.css'
import { type FormRow, isSettable } from './form-row.ts'
import { RejectionContext, useDependents, useFieldSlots } from './form-slots.ts'

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
      <div className={classes.label}>
        {label} <FieldMeaning entity={entity} name={name} />
      </div>
      <div className={classes.static}>{shown}</div>
    </div>
  )
}

/** What a field means, beside its label. */
export function FieldMeaning({ entity, name }: { entity: EntityName; name: string }) {
  const definitions = useDefinitions()
  return <Definition text={definitions && fieldDefinition(definitions, entity, name)} />
}

/** Stands behind the label, which belongs to the input: its copy in CSS keeps the room. */
function LabelMeaning({ isSwitch, ...of }: { entity: EntityName; name: string; isSwitch: boolean }) {
  const labels = useLabels()
  return (
    <span
      className={isSwitch ? `${classes.meaning} ${classes.ofSwitch}` : classes.meaning}
      data-label={labels.field(of.entity, of.name)}
    >
      <FieldMeaning {...of} />
    </span>
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
  if (isBare) return <Controlled {...props} />
  return (
    <div className={classes.defined}>
      <Controlled {...props} />
      <LabelMeaning entity={entity} name={name} isSwitch={field.kind === 'boolean'} />
    </div>
  )
}

/** The unit of a decimal: by the fields beside it, and the currency of the line or else of the form. */
function useUnit(field: Field, path: string): string | undefined {
  const prefix = path.slice(0, path.lastIndexOf('.') + 1)
  const { percentWhen, currencyField = 'currency' } = field.kind === 'decimal' ? field : {}
  const other = percentWhen?.field
  const [own, whole, choice] = useWatch<FormRow>({
    name: [`${prefix}${currencyField}`, 'currency', `${prefix}${other ?? 'currency'}`],
  })
  if (field.kind !== 'decimal') return undefined
  const unit = unitOf(field, other === undefined ? undefined : { [other]: choice })
  if (unit === 'percent') return '%'
  return unit === 'money' ? (currencyOf({ currency: own }) ?? currencyOf({ currency: whole }) ?? undefined) : undefined
}

/** The server's message, with a link to the other record in which the cause can be corrected, if there is one. */
function RejectedField({ path, message }: { path: string; message: string }) {
  const { t } = useTranslation()
  const mend = useContext(RejectionContext)?.reasons.find(({ field }) => field === path)?.mend
  const address = mend === undefined ? null : recordPath(entityName(mend.entity), mend.id)
  if (address === null) return message
  return (
    <>
      {message}.{' '}
      <Link to={address} className={classes.mend ?? ''}>
        {t(($) => $.history.openRecord)}
      </Link>
    </>
  )
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
  const isShown = isChanged || isSubmitted || error?.type === 'server'
  const message: ReactNode =
    error?.type === 'server' && error.message !== undefined ? (
      <RejectedField path={path} message={error.message} />
    ) : (
      error?.message
    )
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
      error={isShown ? message : undefined}
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
