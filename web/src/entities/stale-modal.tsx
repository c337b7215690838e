// Somebody else has saved the record meanwhile: both versions, field by field, and the choice for each. Closing it loses nothing.
import { Button, Modal, SegmentedControl } from '@mantine/core'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLabels } from '../i18n/labels.ts'
import { Dash } from '../ui/value.tsx'
import { FieldValue } from './field-value.tsx'
import { rowsOf } from './form-change.ts'
import { toForm } from './form-row.ts'
import type { Row } from './list-query.ts'
import { type Difference, differencesOf, mergeRows, type Side } from './stale-merge.ts'
import classes from './stale-modal.module.css'
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
              <DifferenceLine
                key={difference.name}
                entity={name}
                difference={difference}
                side={chosen.get(difference.name) ?? 'theirs'}
                onChoose={(side) => choose(difference.name, side)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => settleStale(rows.theirs)}>
          {t(($) => $.engine.useTheirs)}
        </Button>
        <Button onClick={() => settleStale(mergeRows(name, rows, chosen))}>{t(($) => $.engine.takeChosen)}</Button>
      </div>
    </Modal>
  )
}

interface DifferenceLineProps {
  entity: EntityName
  difference: Difference
  side: Side
  onChoose: (side: Side) => void
}

function DifferenceLine({ entity, difference, side, onChoose }: DifferenceLineProps) {
  const labels = useLabels()
  const { t } = useTranslation()
  const { name, mine, theirs, isConflict } = difference
  const field = labels.field(entity, name)
  return (
    <tr className={isConflict ? classes.conflict : undefined}>
      <th scope="row">{field}</th>
      <td className={side === 'mine' ? classes.chosen : undefined}>
        <Version entity={entity} difference={difference} value={mine} />
      </td>
      <td className={side === 'theirs' ? classes.chosen : undefined}>
        <Version entity={entity} difference={difference} value={theirs} />
      </td>
      <td>
        <SegmentedControl
          size="xs"
          aria-label={field}
          value={side}
          data={[
            { value: 'mine', label: t(($) => $.form.mine) },
            { value: 'theirs', label: t(($) => $.form.theirs) },
          ]}
          onChange={(value) => onChoose(value === 'mine' ? 'mine' : 'theirs')}
        />
      </td>
    </tr>
  )
}

/** A collection is told by its number of rows: its changes are made again, row by row. */
function Version({ entity, difference, value }: { entity: EntityName; difference: Difference; value: unknown }) {
  const labels = useLabels()
  const { t } = useTranslation()
  if (difference.field.kind === 'children') return t(($) => $.engine.rowsCount, { count: rowsOf(value).length })
  if (value === '') return <Dash />
  return <FieldValue labels={labels} entity={entity} name={difference.name} field={difference.field} value={value} />
}
