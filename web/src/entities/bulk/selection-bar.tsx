// The bar above a list while rows are selected: their number, ways to select more or fewer, and actions.
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
import { isEverAllowed } from '../field/requirement.ts'
import { activeField } from '../list/list-state.ts'
import { switchWords } from '../list/row-actions.tsx'
import { activateSelected } from './bulk-actions.tsx'
import { ExportMenu } from './export-menu.tsx'
import { countSelected, countWords, type SelectionControl, toWire } from './selection.ts'
import classes from './selection-bar.module.css'

/** Bulk actions of an entity, beside those of all entities. */
export type BulkActions = ComponentType<{
  readonly selection: Selection
  readonly count: number
  /** The rows were changed: the selection ends. */
  readonly onDone: () => void
}>

interface SelectionBarProps {
  name: EntityName
  query: ListQuery
  columns: readonly Column[]
  control: SelectionControl
  /** Counts rows that match the filter, on all pages. */
  pagination: Pagination
  BulkActions?: BulkActions | undefined
}

export function SelectionBar({ name, query, columns, control, pagination, BulkActions }: SelectionBarProps) {
  const { t } = useTranslation()
  const { selection } = control
  const { total } = pagination
  const count = countSelected(selection, total)
  if (selection.ids.size === 0 && !selection.exclusive) return null
  const wire = toWire(selection, query)
  const end = () => {
    control.clear()
    focusRows()
  }
  return (
    <section className={classes.bar} aria-label={t(($) => $.lists.selection)}>
      <span className={classes.count} aria-live="polite">
        {t(($) => $.lists.selected, countWords(count, selection.exclusive && pagination.approximate))}
        {selection.exclusive && selection.ids.size > 0
          ? ` · ${t(($) => $.lists.leftOut, countWords(selection.ids.size))}`
          : ''}
      </span>
      {count < total ? (
        <Button variant="subtle" size="compact-sm" onClick={control.selectAll}>
          {t(($) => $.lists.selectAll, countWords(total, pagination.approximate))}
        </Button>
      ) : null}
      <Button variant="subtle" size="compact-sm" onClick={control.invert}>
        {t(($) => $.lists.invert)}
      </Button>
      <Button variant="subtle" size="compact-sm" onClick={control.clear}>
        {t(($) => $.lists.clear)}
      </Button>
      <span className={classes.acts} data-selection-actions>
        {count === 0 ? null : (
          <>
            <ActiveActions name={name} selection={wire} count={count} onDone={end} />
            {BulkActions === undefined ? null : <BulkActions selection={wire} count={count} onDone={end} />}
            <ExportMenu name={name} columns={columns} query={query} selection={wire} />
          </>
        )}
      </span>
    </section>
  )
}

const FOCUS_TRIES = 12
const FOCUS_PAUSE_MS = 60

/** The bar goes away with the button that had the focus, and the dialog closes after it: the rows get the focus, unless the user has moved it. */
function focusRows(tries = FOCUS_TRIES): void {
  const focused = document.activeElement
  const isInDialog = focused?.closest('[role="dialog"]') != null
  if (focused !== document.body && !isInDialog && focused?.closest('[data-selection-actions]') == null) return
  if (focused === document.body && document.querySelector('[role="dialog"]') === null)
    document.querySelector<HTMLElement>('[data-rows] input[type="checkbox"]')?.focus({ preventScroll: true })
  if (tries > 1) setTimeout(() => focusRows(tries - 1), FOCUS_PAUSE_MS)
}

/** Moves the keyboard's focus to the first action; false if no rows are selected. */
export function focusSelectionActions(): boolean {
  const action = document.querySelector<HTMLElement>('[data-selection-actions] button:not(:disabled)')
  action?.focus()
  return action !== null
}

interface ActiveActionsProps {
  name: EntityName
  selection: Selection
  count: number
  onDone: () => void
}

function ActiveActions({ name, selection, count, onDone }: ActiveActionsProps) {
  const can = useCan()
  const { access } = entityOf(name)
  if (activeField(name) === null || !isEverAllowed(access.edit) || !can(access.edit)) return null
  const act = async (isActive: boolean): Promise<void> => {
    if (await activateSelected(name, selection, count, isActive)) onDone()
  }
  return (
    <>
      <Button variant="default" leftSection={<IconPower size={15} aria-hidden />} onClick={() => void act(true)}>
        {switchWords(name, true).act}
      </Button>
      <Button variant="default" onClick={() => void act(false)}>
        {switchWords(name, false).act}
      </Button>
    </>
  )
}
