// Above the table while rows are selected: how many, how to select more or fewer, and what can be done to them.
import { Button } from '@mantine/core'
import { IconPower } from '@tabler/icons-react'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { ListQuery, Pagination } from '@tributary/contract/list-query'
import type { Selection } from '@tributary/contract/selection'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import type { Column } from '../field/columns.ts'
import { entityOf } from '../field/field-at.ts'
import { isOpen } from '../field/requirement.ts'
import { activeField } from '../list/list-state.ts'
import { activateSelected } from './bulk-acts.tsx'
import { ExportMenu } from './export-menu.tsx'
import { countSelected, type SelectionControl, tellNumber, toWire } from './selection.ts'
import classes from './selection-bar.module.css'

/** What an entity does to its selected rows beside what all do. */
export type BulkActs = ComponentType<{
  readonly selection: Selection
  readonly count: number
  /** The rows have been changed: the selection is over. */
  readonly onDone: () => void
}>

interface SelectionBarProps {
  name: EntityName
  query: ListQuery
  columns: readonly Column[]
  control: SelectionControl
  /** Of the rows that match the filter, on all pages. */
  pagination: Pagination
  BulkActs?: BulkActs | undefined
}

export function SelectionBar({ name, query, columns, control, pagination, BulkActs }: SelectionBarProps) {
  const { t } = useTranslation()
  const { selection } = control
  const { total } = pagination
  const count = countSelected(selection, total)
  if (selection.ids.size === 0 && !selection.exclusive) return null
  const wire = toWire(selection, query)
  return (
    <section className={classes.bar} aria-label={t(($) => $.lists.selection)}>
      <span className={classes.count} aria-live="polite">
        {t(($) => $.lists.selected, tellNumber(count, selection.exclusive && pagination.approximate))}
        {selection.exclusive && selection.ids.size > 0
          ? ` · ${t(($) => $.lists.leftOut, tellNumber(selection.ids.size))}`
          : ''}
      </span>
      {count < total ? (
        <Button variant="subtle" size="compact-sm" onClick={control.selectAll}>
          {t(($) => $.lists.selectAll, tellNumber(total, pagination.approximate))}
        </Button>
      ) : null}
      <Button variant="subtle" size="compact-sm" onClick={control.invert}>
        {t(($) => $.lists.invert)}
      </Button>
      <Button variant="subtle" size="compact-sm" onClick={control.clear}>
        {t(($) => $.lists.clear)}
      </Button>
      <span className={classes.acts}>
        {count === 0 ? null : (
          <>
            <ActiveActs name={name} selection={wire} count={count} onDone={control.clear} />
            {BulkActs === undefined ? null : <BulkActs selection={wire} count={count} onDone={control.clear} />}
            <ExportMenu name={name} columns={columns} query={query} selection={wire} />
          </>
        )}
      </span>
    </section>
  )
}

interface ActiveActsProps {
  name: EntityName
  selection: Selection
  count: number
  onDone: () => void
}

function ActiveActs({ name, selection, count, onDone }: ActiveActsProps) {
  const { t } = useTranslation()
  const can = useCan()
  const { access } = entityOf(name)
  const flag = activeField(name)
  if (flag === null || !isOpen(access.edit) || !can(access.edit)) return null
  const [on, off] =
    flag === 'enabled'
      ? [t(($) => $.actions.enable), t(($) => $.actions.disable)]
      : [t(($) => $.actions.activate), t(($) => $.actions.deactivate)]
  const act = async (isActive: boolean): Promise<void> => {
    if (await activateSelected(name, selection, count, isActive)) onDone()
  }
  return (
    <>
      <Button variant="default" leftSection={<IconPower size={15} aria-hidden />} onClick={() => void act(true)}>
        {on}
      </Button>
      <Button variant="default" onClick={() => void act(false)}>
        {off}
      </Button>
    </>
  )
}
