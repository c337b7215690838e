// Inputs for references. Options are loaded on demand, filtered by the entity's slots and by other values of the form.
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Condition } from '@tributary/contract/list-query'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type LookupOption, lookupLoader } from '../../data/lookup.ts'
import { useLabels } from '../../i18n/labels.ts'
import { LookupMultiSelect } from '../../ui/lookup/lookup-multi-select.tsx'
import { LookupSelect } from '../../ui/lookup/lookup-select.tsx'
import type { FormRow } from '../form/form-row.ts'
import type { FieldSlots } from '../form/form-slots.ts'
import { entityName } from './field-at.ts'
import type { FieldInputProps } from './field-input.tsx'
import { labelOption } from './row-text.ts'

/** Null while the field that the options depend on is empty. */
function useConditions({ conditions: own = [], dependsOn }: FieldSlots): readonly Condition[] | null {
  const conditions = typeof own === 'function' ? own() : own
  const master = useWatch<FormRow>({ name: dependsOn?.field ?? '', disabled: dependsOn === undefined })
  if (dependsOn === undefined) return conditions
  const id = typeof master === 'object' && master !== null && 'id' in master ? String(master.id) : null
  return id === null ? null : [...conditions, { path: dependsOn.path, operator: 'eq', values: [id] }]
}

function useReference(props: FieldInputProps, target: EntityName) {
  const labels = useLabels()
  const { t } = useTranslation()
  const { entity, slots, label, ariaLabel, description, error, disabled, required, onBlur } = props
  const conditions = useConditions(slots)
  const waitsFor = conditions === null ? slots.dependsOn?.field : undefined
  return {
    label,
    ariaLabel: label === undefined ? ariaLabel : undefined,
    description,
    error,
    required,
    onBlur,
    disabled: disabled || conditions === null,
    ...(waitsFor === undefined
      ? {}
      : { placeholder: t(($) => $.engine.chooseFirst, { field: labels.field(entity, waitsFor) }) }),
    load: lookupLoader(target, conditions ?? []),
    labelOf: (option: LookupOption) => labelOption(target, option),
  }
}

export function OneField(props: FieldInputProps) {
  const target = entityName('to' in props.field ? props.field.to : '')
  const shared = useReference(props, target)
  return (
    <LookupSelect
      {...shared}
      clearable={!props.required}
      value={(props.value ?? null) as LookupOption | null}
      onChange={props.onChange}
    />
  )
}

export function ManyField(props: FieldInputProps) {
  const target = entityName('to' in props.field ? props.field.to : '')
  const shared = useReference(props, target)
  return (
    <LookupMultiSelect
      {...shared}
      placeholder={shared.placeholder ?? ''}
      values={Array.isArray(props.value) ? (props.value as LookupOption[]) : []}
      onChange={props.onChange}
    />
  )
}
