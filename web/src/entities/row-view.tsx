// All fields of a row to read: names left, values right, long texts and links whole and copyable.
import type { RoleKind } from '@tributary/contract/access'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import { type Labels, useLabels } from '../i18n/labels.ts'
import { CopyField } from '../ui/copy-field.tsx'
import { entityOf, fieldAt } from './field-at.ts'
import { FieldValue } from './field-value.tsx'
import classes from './row-view.module.css'

interface RowViewProps {
  name: EntityName
  role: RoleKind
  row: Readonly<Record<string, unknown>>
  /** Fields to show; all of the entity's own when left out. */
  fields?: readonly string[]
  zone?: string | undefined
}

/** Values that people take elsewhere. */
const isCopied = (field: Field) =>
  field.kind === 'uuid' ||
  field.kind === 'derived' ||
  (field.kind === 'text' && (field.format === 'long' || field.format === 'template' || field.format === 'url'))

function allFields(name: EntityName): string[] {
  const { fields, hasActive, isLog } = entityOf(name)
  return [
    'id',
    'created_at',
    ...Object.keys(fields),
    ...(hasActive ? ['active'] : []),
    ...(isLog ? [] : ['updated_at']),
  ]
}

export function RowView({ name, role, row, fields = allFields(name), zone }: RowViewProps) {
  const labels = useLabels()
  return (
    <dl className={classes.list}>
      {fields.map((path) => {
        const found = fieldAt(name, path, role)
        if (found === null || found.field.kind === 'children' || row[path] === undefined) return null
        return (
          <div key={path} className={classes.line}>
            <dt className={classes.name}>{labels.field(name, path)}</dt>
            <dd className={classes.value}>
              <Value labels={labels} name={name} path={path} field={found.field} value={row[path]} zone={zone} />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

interface ValueProps {
  labels: Labels
  name: EntityName
  path: string
  field: Field
  value: unknown
  zone: string | undefined
}

function Value({ labels, name, path, field, value, zone }: ValueProps) {
  const isLinks = field.kind === 'derived' && field.shows === 'links'
  if (isLinks && typeof value === 'object' && value !== null)
    return Object.entries(value).map(([key, link]) => (
      <CopyField key={key} value={link === null ? null : String(link)} whole />
    ))
  if (isCopied(field) && typeof value === 'string' && value !== '') return <CopyField value={value} whole />
  return <FieldValue labels={labels} entity={name} name={path} field={field} value={value} zone={zone} />
}
