// A field of a form that nobody sets: shown as it is read, links and codes with their copy button.
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import { useWatch } from 'react-hook-form'
import { useLabels } from '../../i18n/labels.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { LinkField } from '../../ui/link-field.tsx'
import { FieldValue } from '../field/field-value.tsx'
import classes from './form.module.css'
import type { FormRow } from './form-row.ts'

interface StaticFieldProps {
  entity: EntityName
  name: string
  path: string
  field: Field
  isBare: boolean
}

export function StaticField({ entity, name, path, field, isBare }: StaticFieldProps) {
  const labels = useLabels()
  const value = useWatch<FormRow>({ name: path })
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
    <FieldValue labels={labels} entity={entity} name={name} field={field} value={value} />
  )
  if (isBare) return shown
  return (
    <div className={field.kind === 'derived' ? classes.wide : undefined}>
      <div className={classes.label}>{label}</div>
      <div className={classes.static}>{shown}</div>
    </div>
  )
}
