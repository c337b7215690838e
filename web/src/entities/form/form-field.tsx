// One field of a form, but a collection: its label, its input and what is wrong with it. Errors are told when the field has been changed, or after a submit.
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import { useController, useFormContext } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { currentWords } from '../../i18n/language.ts'
import { FieldInput } from '../field/field-input.tsx'
import { useDependents, useFieldParts } from './form-parts.ts'
import { type FormRow, isSettable } from './form-row.ts'
import { StaticField } from './static-field.tsx'

export interface FormFieldProps {
  entity: EntityName
  /** The field's name in its entity. */
  name: string
  /** Where it is in the form: 'rates.2.date'. */
  path: string
  field: Field
  isNew: boolean
  isLocked: boolean
  /** In a table the column's head is the label. */
  isBare?: boolean
}

export function FormField(props: FormFieldProps) {
  const { entity, name, path, field, isNew, isBare = false } = props
  if (!isSettable(field, true))
    return isNew ? null : <StaticField entity={entity} name={name} path={path} field={field} isBare={isBare} />
  return <Controlled {...props} />
}

function Controlled({ entity, name, path, field, isNew, isLocked, isBare = false }: FormFieldProps) {
  const labels = useLabels()
  const { t } = useTranslation()
  const { control, setValue } = useFormContext<FormRow>()
  const parts = useFieldParts(path)
  const dependents = useDependents(path)
  const {
    field: { value, onChange, onBlur },
    fieldState: { error, isDirty, isTouched },
    formState: { isSubmitted },
  } = useController({ control, name: path })
  const isFixed = field.fixed === true && !isNew
  const filledBy = isNew ? parts.filledBy?.(currentWords().nouns) : undefined
  const label = labels.field(entity, name)
  // In a line that was just added everything differs from what was read: there, being left is what counts.
  const isChanged = isBare && isNew ? isTouched : isDirty
  return (
    <FieldInput
      entity={entity}
      name={name}
      field={field}
      parts={parts}
      label={isBare ? undefined : label}
      ariaLabel={label}
      description={isFixed && !isBare && !isLocked ? t(($) => $.engine.fixedHint) : filledBy}
      value={value}
      error={isChanged || isSubmitted || error?.type === 'server' ? error?.message : undefined}
      disabled={isLocked || isFixed}
      required={field.required === true && field.kind !== 'boolean' && filledBy === undefined}
      onBlur={onBlur}
      onChange={(next) => {
        onChange(next)
        for (const dependent of dependents) setValue(dependent, null, { shouldDirty: true })
      }}
    />
  )
}
