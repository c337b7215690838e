// Shows both versions of a row that someone else saved meanwhile, with a choice per field. Closing it loses nothing.
import { Button, Modal, SegmentedControl } from '@mantine/core'
import type { EntityName } from '@tributary/contract/entities/registry'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { Dash } from '../../ui/value.tsx'
import { entityName, entityOf, fieldOf } from '../field/field-at.ts'
import { FieldValue } from '../field/field-value.tsx'
import type { Row } from '../list/list-query.ts'
import { rowsOf } from './form-change.ts'
import { type ChildRow, toForm } from './form-row.ts'
import { findRowConflicts, type RowConflict, type RowSide } from './row-conflict.ts'
import { countChanges, type Difference, findDifferences, mergeRows, type Side, sidesOf } from './stale-merge.ts'
import classes from './stale-modal.module.css'
import type { EntityForm } from './use-entity-form.ts'

interface StaleRowsProps {
  difference: Difference
  base: unknown
  chosen: ReadonlyMap<string, RowSide>
  onChoose: (key: string, side: RowSide) => void
}

/** Rows of a collection that two users changed differently: one line and one choice per row, below the collection. */
function StaleRows({ difference, base, chosen, onChoose }: StaleRowsProps) {
  const { name, field, mine, theirs } = difference
  if (field.kind !== 'children') return null
  const child = entityName(field.of)
  return findRowConflicts(name, base, mine, theirs).map((conflict) => (
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
  const removals = {
    theyRemoved: t(($) => $.forms.theyRemoved),
    iRemoved: t(($) => $.forms.iRemoved),
    bothChanged: null,
  }
  const title = titleCell(child, by)
  const words = { mine: t(($) => $.engine.mine), theirs: t(($) => $.engine.theirs) }
  return (
    <tr className={`${classes.conflict} ${classes.row}`}>
      <th scope="row">
        <Cell child={child} name={title} row={base} />
      </th>
      <td className={side === 'mine' ? classes.chosen : undefined}>
        {kind === 'iRemoved' ? removals.iRemoved : <Cells child={child} cells={cells} row={mine} />}
      </td>
      <td className={side === 'theirs' ? classes.chosen : undefined}>
        {theirs === null ? removals.theyRemoved : <Cells child={child} cells={cells} row={theirs} />}
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

/** The cell that names a line: its title, unless that is its parent. */
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

interface StaleModalProps {
  name: EntityName
  entity: EntityForm
  current: Row
}

/** Asks which version of each differing field is kept. `current`: the stored row. */
export function StaleModal({ name, entity, current }: StaleModalProps) {
  const { t } = useTranslation()
  const { form, row, settleStale } = entity
  const [rows] = useState(() => ({
    base: toForm(name, row),
    mine: form.getValues(),
    theirs: toForm(name, current),
  }))
  const differences = findDifferences(name, rows.base, rows.mine, rows.theirs)
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(
    () => new Map(differences.map(({ name: field, proposed }) => [field, proposed])),
  )
  const choose = (field: string, side: Side) => setChosen(new Map(chosen).set(field, side))
  const [rowSides, setRowSides] = useState<ReadonlyMap<string, RowSide>>(new Map())
  return (
    <Modal opened onClose={() => settleStale(null)} size="xl" title={t(($) => $.engine.staleTitle)}>
      <p className={classes.text}>{t(($) => $.engine.staleText)}</p>
      <div className={classes.scroll}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t(($) => $.engine.field)}</th>
              <th scope="col">{t(($) => $.engine.mine)}</th>
              <th scope="col">{t(($) => $.engine.theirs)}</th>
              <th scope="col">{t(($) => $.engine.keep)}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map((difference) => (
              <Fragment key={difference.name}>
                <DifferenceLine
                  entity={name}
                  difference={difference}
                  base={rows.base[difference.name]}
                  side={chosen.get(difference.name) ?? 'theirs'}
                  onChoose={(side) => choose(difference.name, side)}
                />
                {chosen.get(difference.name) === 'both' ? (
                  <StaleRows
                    difference={difference}
                    base={rows.base[difference.name]}
                    chosen={rowSides}
                    onChoose={(key, side) => setRowSides(new Map(rowSides).set(key, side))}
                  />
                ) : null}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => settleStale(rows.theirs)}>
          {t(($) => $.engine.useTheirs)}
        </Button>
        <Button onClick={() => settleStale(mergeRows(name, rows, chosen, rowSides))}>
          {t(($) => $.engine.takeChosen)}
        </Button>
      </div>
    </Modal>
  )
}

interface DifferenceLineProps {
  entity: EntityName
  difference: Difference
  /** The value before both changes. */
  base: unknown
  side: Side
  onChoose: (side: Side) => void
}

function DifferenceLine({ entity, difference, base, side, onChoose }: DifferenceLineProps) {
  const labels = useLabels()
  const { t } = useTranslation()
  const { name, mine, theirs, isConflict } = difference
  const field = labels.field(entity, name)
  const words = { mine: t(($) => $.engine.mine), theirs: t(($) => $.engine.theirs), both: t(($) => $.forms.both) }
  const isTaken = (own: Side) => (side === own || side === 'both' ? classes.chosen : undefined)
  return (
    <tr className={isConflict ? classes.conflict : undefined}>
      <th scope="row">{field}</th>
      <td className={isTaken('mine')}>
        <Version entity={entity} difference={difference} base={base} value={mine} />
      </td>
      <td className={isTaken('theirs')}>
        <Version entity={entity} difference={difference} base={base} value={theirs} />
      </td>
      <td>
        <SegmentedControl
          size="xs"
          aria-label={field}
          value={side}
          data={sidesOf(difference.field).map((value) => ({ value, label: words[value] }))}
          onChange={onChoose}
        />
      </td>
    </tr>
  )
}

interface VersionProps {
  entity: EntityName
  difference: Difference
  base: unknown
  value: unknown
}

/** Describes a collection by its added, changed and removed rows. */
function Version({ entity, difference, base, value }: VersionProps) {
  const labels = useLabels()
  const { t } = useTranslation()
  if (difference.field.kind === 'children') {
    const { added, changed, removed } = countChanges(base, value)
    const parts = [
      added > 0 ? t(($) => $.forms.rowsAdded, { count: added }) : null,
      changed > 0 ? t(($) => $.forms.rowsChanged, { count: changed }) : null,
      removed > 0 ? t(($) => $.forms.rowsRemoved, { count: removed }) : null,
    ].filter((text) => text !== null)
    return parts.length === 0 ? t(($) => $.engine.rowsCount, { count: rowsOf(value).length }) : parts.join(', ')
  }
  if (value === '') return <Dash />
  return <FieldValue labels={labels} entity={entity} name={difference.name} field={difference.field} value={value} />
}
