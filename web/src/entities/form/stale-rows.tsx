// The rows of a collection on which two people have decided differently: one line and one choice for each, below the collection.
import { SegmentedControl } from '@mantine/core'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { Dash } from '../../ui/value.tsx'
import { entityName, entityOf, fieldOf } from '../field/field-at.ts'
import { FieldValue } from '../field/field-value.tsx'
import type { ChildRow } from './form-row.ts'
import { type RowConflict, type RowSide, rowConflictsOf } from './row-conflict.ts'
import type { Difference } from './stale-merge.ts'
import classes from './stale-modal.module.css'

interface StaleRowsProps {
  difference: Difference
  base: unknown
  chosen: ReadonlyMap<string, RowSide>
  onChoose: (key: string, side: RowSide) => void
}

export function StaleRows({ difference, base, chosen, onChoose }: StaleRowsProps) {
  const { name, field, mine, theirs } = difference
  if (field.kind !== 'children') return null
  const child = entityName(field.of)
  return rowConflictsOf(name, base, mine, theirs).map((conflict) => (
    <RowLine
      key={conflict.key}
      child={child}
      by={field.by}
      conflict={conflict}
      side={chosen.get(conflict.key) ?? conflict.proposed}
      onChoose={(side) => onChoose(conflict.key, side)}
    />
  ))
}

interface RowLineProps {
  child: EntityName
  by: string
  conflict: RowConflict
  side: RowSide
  onChoose: (side: RowSide) => void
}

function RowLine({ child, by, conflict, side, onChoose }: RowLineProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const { kind, base, mine, theirs, cells } = conflict
  const told = { theyRemoved: t(($) => $.forms.theyRemoved), iRemoved: t(($) => $.forms.iRemoved), bothChanged: null }
  const title = titleCell(child, by)
  const words = { mine: t(($) => $.form.mine), theirs: t(($) => $.form.theirs) }
  return (
    <tr className={`${classes.conflict} ${classes.row}`}>
      <th scope="row">
        <Cell child={child} name={title} row={base} />
      </th>
      <td className={side === 'mine' ? classes.chosen : undefined}>
        {kind === 'iRemoved' ? told.iRemoved : <Cells child={child} cells={cells} row={mine} />}
      </td>
      <td className={side === 'theirs' ? classes.chosen : undefined}>
        {theirs === null ? told.theyRemoved : <Cells child={child} cells={cells} row={theirs} />}
      </td>
      <td>
        <SegmentedControl
          size="xs"
          aria-label={`${labels.one(child)} ${labels.field(child, title)}`}
          value={side}
          data={[
            { value: 'mine', label: words.mine },
            { value: 'theirs', label: words.theirs },
          ]}
          onChange={onChoose}
        />
      </td>
    </tr>
  )
}

/** What a line of the collection is known by: its title, where that is not its parent. */
function titleCell(child: EntityName, by: string): string {
  const { title, form } = entityOf(child)
  return title === by ? (form.flatMap(({ fields }) => fields).find((name) => name !== by) ?? title) : title
}

function Cells({ child, cells, row }: { child: EntityName; cells: readonly string[]; row: ChildRow }) {
  const labels = useLabels()
  return cells.map((name) => (
    <div key={name}>
      {labels.field(child, name)}: <Cell child={child} name={name} row={row} />
    </div>
  ))
}

function Cell({ child, name, row }: { child: EntityName; name: string; row: ChildRow }) {
  const labels = useLabels()
  const field = fieldOf(child, name)
  const value = row[name]
  if (field === undefined || value === '' || value === null) return <Dash />
  if (field.kind === 'children') return Array.isArray(value) ? value.length : <Dash />
  return <FieldValue labels={labels} entity={child} name={name} field={field} value={value} />
}
