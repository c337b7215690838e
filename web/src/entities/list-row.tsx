// One row of a list. Its first cell is a real link to the row; cells that refer to rows with screens of their own link there.
// Hundreds of these scroll by: a row asks no context and subscribes to nothing, its table tells it all.
import { IconDots } from '@tabler/icons-react'
import type { EntityName } from '@tributary/contract/entities/registry'
import { memo, useState } from 'react'
import type { Labels } from '../i18n/labels.ts'
import { tableClasses } from '../ui/table-frame.tsx'
import { pinClass, pinStyle } from './column-head.tsx'
import type { Column } from './columns.ts'
import { targetOf, valueAt } from './field-at.ts'
import { FieldValue, textOf } from './field-value.tsx'
import type { Row } from './list-query.ts'
import { activeField } from './list-state.ts'
import classes from './list-table.module.css'
import type { RowActs } from './row-acts.ts'
import { editPath, panelPath } from './row-link.ts'
import { RowMenu } from './row-menu.tsx'
import { rowTitle } from './row-title.ts'
import type { RowId } from './selection.ts'

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
      </td>
      {setting.columns.map((column, index) => (
        <Cell
          key={column.path}
          row={row}
          column={column}
          isFirst={index === 0}
          left={setting.lefts[index] ?? null}
          setting={setting}
        />
      ))}
      <td aria-hidden className={classes.filler} />
      {setting.acts === null ? null : (
        <td className={classes.menu}>
          <MenuButton row={row} setting={setting} acts={setting.acts} />
        </td>
      )}
    </tr>
  )
})

interface CellProps {
  row: Row
  column: Column
  isFirst: boolean
  left: string | null
  setting: RowSetting
}

function Cell({ row, column, isFirst, left, setting }: CellProps) {
  const { labels, zone } = setting
  const { entity, name, field, path } = column
  const value = valueAt(row, path)
  const shown = <FieldValue labels={labels} entity={entity} name={name} field={field} value={value} zone={zone} />
  const hint = isPlain(field.kind) ? (textOf(labels, entity, name, field, value) ?? undefined) : undefined
  const kinds = [pinClass(left, isFirst), column.isNumber ? tableClasses.number : '']
  const target = isFirst ? null : referencePath(column, value, setting)
  return (
    <td className={kinds.join(' ').trim()} style={pinStyle(left)} title={hint}>
      {isFirst ? (
        <a
          href={editPath(setting.name, row.id) ?? panelPath(setting.href, row.id)}
          data-row
          className={`${classes.link} ${classes.main}`}
        >
          {value === null || value === undefined ? rowTitle(setting.name, row) : shown}
        </a>
      ) : target === null ? (
        shown
      ) : (
        <a href={target} className={classes.quiet}>
          {shown}
        </a>
      )}
    </td>
  )
}

/** Kinds that may be cut off in a cell, so that the whole must be told on hover. */
const isPlain = (kind: string) => /^(text|uuid|reference|references|choices|texts|derived)$/.test(kind)

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
    >
      <IconDots size={16} aria-hidden />
    </button>
  )
  return isMade ? (
    <RowMenu name={setting.name} row={row} acts={acts}>
      {button()}
    </RowMenu>
  ) : (
    button(() => setMade(true))
  )
}
