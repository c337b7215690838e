// One row of a list. Its first cell is a real link to the row; cells that refer to rows with screens of their own link there.
// Hundreds of these scroll by: a row asks no context and subscribes to nothing, its table tells it all.
import type { EntityName } from '@tributary/contract/entities/registry'
import { memo, type ReactNode, useState } from 'react'
import type { Labels } from '../../i18n/labels.ts'
import { tableClasses } from '../../ui/table-frame.tsx'
import type { RowId } from '../bulk/selection.ts'
import type { Column } from '../field/columns.ts'
import { targetOf, valueAt } from '../field/field-at.ts'
import { fieldValue, textOf } from '../field/field-value.tsx'
import { editPath, panelPath } from '../field/row-link.ts'
import { rowTitle } from '../field/row-title.ts'
import { mayBeCut } from './cell-room.ts'
import { pinClass, pinStyle } from './column-head.tsx'
import type { Row } from './list-query.ts'
import { activeField } from './list-state.ts'
import classes from './list-table.module.css'
import type { RowActs } from './row-acts.ts'
import { RowMenu } from './row-menu.tsx'

/** What all rows of one table share; the same object as long as nothing of it changes. */
export interface RowSetting {
  readonly name: EntityName
  readonly columns: readonly Column[]
  readonly labels: Labels
  /** Columns whose references may be opened by this person. */
  readonly linked: ReadonlySet<string>
  readonly acts: RowActs | null
  readonly zone: string | undefined
  /** The list's own address. */
  readonly href: string
  readonly actionsOn: (title: string) => string
  /** Where each column sticks; null when it scrolls away. */
  readonly lefts: readonly (string | null)[]
  readonly select: (ids: readonly RowId[], isOn: boolean) => void
  readonly selectLabel: (title: string) => string
}

interface ListRowProps {
  row: Row
  setting: RowSetting
  isSelected: boolean
}

export const ListRow = memo(function ListRow({ row, setting, isSelected }: ListRowProps) {
  const flag = activeField(setting.name)
  const isOff = flag !== null && row[flag] === false
  return (
    <tr className={isOff ? classes.off : undefined} aria-selected={isSelected}>
      <td className={classes.check}>
        <input
          type="checkbox"
          checked={isSelected}
          aria-label={setting.selectLabel(rowTitle(setting.name, row))}
          onChange={(event) => setting.select([row.id], event.currentTarget.checked)}
        />
        {setting.acts === null ? null : <MenuButton row={row} setting={setting} acts={setting.acts} />}
      </td>
      {setting.columns.map((column, index) => cellOf(row, column, index, setting))}
      <td aria-hidden className={classes.filler} />
    </tr>
  )
})

/** Not a component: a table that is scrolled makes dozens of these in every frame. */
function cellOf(row: Row, column: Column, index: number, setting: RowSetting): ReactNode {
  const { labels, zone } = setting
  const { entity, name, field, path } = column
  const isFirst = index === 0
  const left = setting.lefts[index] ?? null
  const value = valueAt(row, path)
  const text = TOLD.has(field.kind) ? textOf(labels, entity, name, field, value) : null
  const shown = (field.kind !== 'uuid' && text) || fieldValue({ labels, entity, name, field, value, zone })
  // The first column is narrower on a narrow screen.
  const isCut = isFirst || mayBeCut(column, labels, value, text)
  const href = isFirst ? firstPath(row, setting) : referencePath(column, value, setting)
  const cut = isCut ? (classes.cut ?? '') : ''
  const kinds = [pinClass(left, isFirst), column.isNumber ? tableClasses.number : '', href === null ? cut : '']
  return (
    <td
      key={path}
      className={kinds.filter(Boolean).join(' ') || undefined}
      style={pinStyle(left)}
      title={isCut ? (text ?? undefined) : undefined}
    >
      {href === null ? (
        shown
      ) : isFirst ? (
        <a href={href} data-row className={`${classes.link} ${classes.main} ${cut}`}>
          {value === null || value === undefined ? rowTitle(setting.name, row) : shown}
        </a>
      ) : (
        <a href={href} className={`${classes.quiet} ${cut}`.trim()}>
          {shown}
        </a>
      )}
    </td>
  )
}

/** Kinds that say nothing but text; what is cut off of it is told whole on hover. */
const TOLD: ReadonlySet<string> = new Set(['text', 'uuid', 'reference', 'references', 'choices', 'texts', 'derived'])

const firstPath = ({ id }: Row, { name, href }: RowSetting): string => editPath(name, id) ?? panelPath(href, id)

function referencePath({ field, path }: Column, value: unknown, { linked }: RowSetting): string | null {
  if (!linked.has(path) || typeof value !== 'object' || value === null || !('id' in value)) return null
  const target = targetOf(field)
  return target !== null && typeof value.id === 'number' ? editPath(target, value.id) : null
}

/** The menu itself is made when it is first opened: hundreds of rows need hundreds of buttons, not of menus. */
function MenuButton({ row, setting, acts }: { row: Row; setting: RowSetting; acts: RowActs }) {
  const [isMade, setMade] = useState(false)
  const button = (open?: () => void) => (
    <button
      type="button"
      className={classes.more}
      aria-label={setting.actionsOn(rowTitle(setting.name, row))}
      aria-haspopup="menu"
      onClick={open}
    />
  )
  return isMade ? (
    <RowMenu name={setting.name} row={row} acts={acts}>
      {button()}
    </RowMenu>
  ) : (
    button(() => setMade(true))
  )
}
