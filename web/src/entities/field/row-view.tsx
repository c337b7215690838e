// All fields of a row, read-only; long texts and links have a copy button.

import { Tooltip } from '@mantine/core'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import { fieldDefinition } from '@tributary/contract/words/definition'
import type { ReactNode } from 'react'
import { useCan } from '../../data/profile.ts'
import { useDefinitions } from '../../i18n/definitions.ts'
import { useLabels } from '../../i18n/labels.ts'
import { AddressLink } from '../../ui/address-link.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { entityOf, fieldAt, targetOf } from './field-at.ts'
import { FieldValue } from './field-value.tsx'
import { recordPath } from './row-link.ts'
import classes from './row-view.module.css'

interface RowViewProps {
  name: EntityName
  row: Readonly<Record<string, unknown>>
  /** Fields to show; all of the entity by default. */
  fields?: readonly string[]
  zone?: string | undefined
}

/** Fields whose values users copy. Long texts of large logs are addresses and answers; those of other records are written by people. */
const isCopied = (name: EntityName, field: Field) =>
  field.kind === 'uuid' ||
  field.kind === 'derived' ||
  (field.kind === 'text' &&
    (field.format === 'template' ||
      field.format === 'url' ||
      (field.format === 'long' && entityOf(name).isLarge === true)))

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

export function RowView({ name, row, fields = allFields(name), zone }: RowViewProps) {
  const labels = useLabels()
  const definitions = useDefinitions()
  return (
    <dl className={classes.list}>
      {fields.map((path) => {
        const found = fieldAt(name, path)
        if (found === null || found.field.kind === 'children' || row[path] === undefined) return null
        return (
          <div key={path} className={classes.line}>
            <Tooltip
              label={(definitions && fieldDefinition(definitions, name, path)) ?? labels.field(name, path)}
              maw={320}
            >
              <dt className={classes.name}>{labels.field(name, path)}</dt>
            </Tooltip>
            <dd className={classes.value}>
              <TargetLink field={found.field} value={row[path]}>
                <Value name={name} path={path} field={found.field} value={row[path]} row={row} zone={zone} />
              </TargetLink>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** Links a reference to its row, if a page for it exists and the user may open it. */
function TargetLink({ field, value, children }: { field: Field; value: unknown; children: ReactNode }) {
  const can = useCan()
  const target = field.kind === 'reference' ? targetOf(field) : null
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null
  const path = target !== null && typeof id === 'number' ? recordPath(target, id) : null
  if (target === null || path === null || !can(entityOf(target).access.view)) return children
  return (
    <AddressLink address={path} className={classes.link}>
      {children}
    </AddressLink>
  )
}

type ValueProps = Pick<RowViewProps, 'name' | 'zone'> & {
  path: string
  field: Field
  value: unknown
  row: Readonly<Record<string, unknown>>
}

function Value({ name, path, field, value, row, zone }: ValueProps) {
  const labels = useLabels()
  const isLinks = field.kind === 'derived' && field.shows === 'links'
  if (isLinks && typeof value === 'object' && value !== null)
    return Object.entries(value).map(([key, link]) => (
      <CopyField key={key} value={link === null ? null : String(link)} whole />
    ))
  if (isCopied(name, field) && typeof value === 'string' && value !== '') return <CopyField value={value} whole />
  return (
    // An amount stays in one line with its currency.
    <span>
      <FieldValue labels={labels} entity={name} name={path} field={field} value={value} row={row} zone={zone} />
    </span>
  )
}
