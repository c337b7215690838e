// Read-only rows that refer to the row of the form; each links to its own page.
import { Link } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { useLabels } from '../../i18n/labels.ts'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { type Column, shownColumns } from '../field/columns.ts'
import { entityName, valueAt } from '../field/field-at.ts'
import { FieldValue } from '../field/field-value.tsx'
import { recordPath } from '../field/row-link.ts'
import { rowTitle } from '../field/row-text.ts'
import type { Row } from '../list/list-query.ts'
import links from '../list/list-table.module.css'
import classes from './collection-field.module.css'

interface ForeignRowsProps {
  parent: EntityName
  name: string
  field: Extract<Field, { kind: 'children' }>
  rows: unknown
  isAlone: boolean
}

/** A table of rows that refer to the row of the form. */
export function ForeignRows({ parent, name, field, rows, isAlone }: ForeignRowsProps) {
  const labels = useLabels()
  const { t } = useTranslation()
  const role = useProfile().role.kind
  const child = entityName(field.of)
  const items = Array.isArray(rows) ? (rows as Row[]) : []
  const columns = shownColumns(child, role, null, (path) => labels.field(child, path)).filter(
    ({ path }) => path.split('.')[0] !== field.by,
  )
  const title = labels.field(parent, name)
  return (
    <section className={classes.collection} aria-label={title}>
      {isAlone ? null : <h3 className={classes.title}>{title}</h3>}
      {items.length === 0 ? (
        <p className={classes.none}>{t(($) => $.form.noRows)}</p>
      ) : (
        <TableFrame label={title}>
          <table className={tableClasses.table}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.path} className={column.isNumber ? tableClasses.number : undefined}>
                    {labels.field(child, column.path)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map((row) => (
                <tr key={row.id}>
                  {columns.map((column, index) => (
                    <ForeignCell key={column.path} child={child} row={row} column={column} isFirst={index === 0} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </section>
  )
}

function ForeignCell({
  child,
  row,
  column,
  isFirst,
}: {
  child: EntityName
  row: Row
  column: Column
  isFirst: boolean
}) {
  const labels = useLabels()
  const value = valueAt(row, column.path)
  const path = isFirst ? recordPath(child, row.id) : null
  const shown = (
    <FieldValue
      labels={labels}
      entity={column.entity}
      name={column.name}
      field={column.field}
      value={value}
      row={column.path.includes('.') ? undefined : row}
    />
  )
  return (
    <td className={column.isNumber ? tableClasses.number : undefined}>
      {path === null ? (
        shown
      ) : (
        <Link to={path} className={links.link ?? ''}>
          {value === null || value === undefined ? rowTitle(child, row) : shown}
        </Link>
      )}
    </td>
  )
}
