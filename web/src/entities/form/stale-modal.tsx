// Somebody else has saved the record meanwhile: both versions, field by field, and the choice for each. Closing it loses nothing.
import { Button, Modal, SegmentedControl } from '@mantine/core'
import type { EntityName } from '@tributary/contract/entities/registry'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../../i18n/labels.ts'
import { Dash } from '../../ui/value.tsx'
import { FieldValue } from '../field/field-value.tsx'
import type { Row } from '../list/list-query.ts'
import { rowsOf } from './form-change.ts'
import { toForm } from './form-row.ts'
import type { RowSide } from './row-conflict.ts'
import { countChanges, type Difference, differencesOf, mergeRows, type Side, sidesOf } from './stale-merge.ts'
import classes from './stale-modal.module.css'
import { StaleRows } from './stale-rows.tsx'
import type { EntityForm } from './use-entity-form.ts'

interface StaleModalProps {
  name: EntityName
  entity: EntityForm
  current: Row
}

export function StaleModal({ name, entity, current }: StaleModalProps) {
  const { t } = useTranslation()
  const { form, row, settleStale } = entity
  const [rows] = useState(() => ({
    base: toForm(name, row),
    mine: form.getValues(),
    theirs: toForm(name, current),
  }))
  const differences = differencesOf(name, rows.base, rows.mine, rows.theirs)
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(
    () => new Map(differences.map(({ name: field, proposed }) => [field, proposed])),
  )
  const choose = (field: string, side: Side) => setChosen(new Map(chosen).set(field, side))
  const [rowSides, setRowSides] = useState<ReadonlyMap<string, RowSide>>(new Map())
  return (
    <Modal
      opened
      onClose={() => settleStale(null)}
      size="xl"
      title={t(($) => $.form.staleTitle)}
      closeButtonProps={{ 'aria-label': t(($) => $.actions.close) }}
    >
      <p className={classes.text}>{t(($) => $.form.staleText)}</p>
      <div className={classes.scroll}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t(($) => $.engine.field)}</th>
              <th scope="col">{t(($) => $.form.mine)}</th>
              <th scope="col">{t(($) => $.form.theirs)}</th>
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
  /** As it was before either of them changed it. */
  base: unknown
  side: Side
  onChoose: (side: Side) => void
}

function DifferenceLine({ entity, difference, base, side, onChoose }: DifferenceLineProps) {
  const labels = useLabels()
  const { t } = useTranslation()
  const { name, mine, theirs, isConflict } = difference
  const field = labels.field(entity, name)
  const words = { mine: t(($) => $.form.mine), theirs: t(($) => $.form.theirs), both: t(($) => $.forms.both) }
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

/** A collection is told by what was done to its rows. */
function Version({ entity, difference, base, value }: VersionProps) {
  const labels = useLabels()
  const { t } = useTranslation()
  if (difference.field.kind === 'children') {
    const { added, changed, removed } = countChanges(base, value)
    const told = [
      added > 0 ? t(($) => $.forms.rowsAdded, { count: added }) : null,
      changed > 0 ? t(($) => $.forms.rowsChanged, { count: changed }) : null,
      removed > 0 ? t(($) => $.forms.rowsRemoved, { count: removed }) : null,
    ].filter((text) => text !== null)
    return told.length === 0 ? t(($) => $.engine.rowsCount, { count: rowsOf(value).length }) : told.join(', ')
  }
  if (value === '') return <Dash />
  return <FieldValue labels={labels} entity={entity} name={difference.name} field={difference.field} value={value} />
}
