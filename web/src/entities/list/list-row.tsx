// One row of a list: its first cell links to the row, references link to their forms. Rows use no context and no subscriptions, because
// hundreds of them are rendered while scrolling.

import { Menu } from '@mantine/core'
import { IconExternalLink, IconPencil, IconPower, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { isKept } from '@tributary/contract/entity'
import { memo, type ReactElement, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Labels } from '../../i18n/labels.ts'
import { tableClasses } from '../../ui/table-frame.tsx'
import type { RowId } from '../bulk/selection.ts'
import type { Column } from '../field/columns.ts'
import { entityOf, targetOf, valueAt } from '../field/field-at.ts'
import { fieldValue, textOf } from '../field/field-value.tsx'
import { editPath, panelPath, recordPath } from '../field/row-link.ts'
import { plainText, rowTitle } from '../field/row-text.ts'
import { pinClass, pinStyle } from './column-head.tsx'
import type { Row } from './list-query.ts'
import { activeField } from './list-state.ts'
import classes from './list-table.module.css'
import { type RowActions, switchWords } from './row-actions.tsx'

/** Padding of a cell, and of a badge in it. */
const PADDING = 24
const BADGE = 28
const NARROW = 5
const COMMON = 9
const WIDE = 13
const WIDEST = 20
const FIRST_WIDEST = 0x1100

/** The most pixels that a character needs in the larger cell size. */
function characterWidth(code: number): number {
  if (code >= FIRST_WIDEST) return WIDEST
  if (code > 126) return WIDE
  const sign = String.fromCharCode(code)
  if (" .,:;'|!ijl".includes(sign)) return NARROW
  return /[A-Zmw@%&]/.test(sign) ? WIDE : COMMON
}

const ROOMS = Array.from({ length: 128 }, (_, code) => characterWidth(code))

function textWidth(text: string): number {
  let room = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    room += ROOMS[code] ?? characterWidth(code)
  }
  return room
}

const DAY = textWidth('00.00.0000')
const MINUTE = textWidth('00.00.0000 00:00')
const SECOND = textWidth('00.00.0000 00:00:00')

function cellWidth({ entity, name, field }: Column, labels: Labels, value: unknown): number {
  if (value === null || value === undefined) return 0
  if (field.kind === 'boolean') return BADGE + textWidth(labels.value('inactive'))
  if (field.kind === 'choice') return BADGE + textWidth(labels.choice(entity, name, plainText(value)))
  if (field.kind === 'date') return DAY
  if (field.kind === 'datetime') return name === 'created_at' ? SECOND : MINUTE
  return textWidth(plainText(value))
}

/**
 * Estimates from the text alone whether a cell's content may be wider than its column. It errs towards true, because a cell estimated to
 * fit is not cut off. `text` is the cell's whole content, or null if it contains more than text.
 */
const mayBeCut = (column: Column, labels: Labels, value: unknown, text: string | null): boolean =>
  (text === null ? cellWidth(column, labels, value) : textWidth(text)) > column.width - PADDING

const NO_ACTIONS: RowActions = { setActive: null, remove: null }

/** The actions of a row, in a menu that is created by the click that opens it. */
function RowMenu({
  name,
  row,
  actions,
  children,
}: {
  name: EntityName
  row: Row
  actions: RowActions
  children: ReactElement
}) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(true)
  const { setActive, remove } = isKept(entityOf(name), row) ? NO_ACTIONS : actions
  const path = recordPath(name, row.id)
  const edit = editPath(name, row.id)
  const flag = activeField(name)
  const isOn = flag !== null && row[flag] === true
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" withinPortal>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {path === null ? null : (
          <Menu.Item leftSection={<IconExternalLink size={15} />} onClick={() => void navigate({ to: path })}>
            {t(($) => $.actions.open)}
          </Menu.Item>
        )}
        {edit === null || edit === path ? null : (
          <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => void navigate({ to: edit })}>
            {t(($) => $.actions.edit)}
          </Menu.Item>
        )}
        {setActive === null || flag === null ? null : (
          <Menu.Item leftSection={<IconPower size={15} />} onClick={() => void setActive(row, !isOn)}>
            {switchWords(name, !isOn).act}
          </Menu.Item>
        )}
        {remove === null ? null : (
          <Menu.Item
            className={classes.danger ?? ''}
            leftSection={<IconTrash size={15} />}
            onClick={() => void remove(row)}
          >
            {t(($) => $.actions.delete)}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Values shared by all rows of a table; the same object until one of them changes. */
export interface RowSetting {
  readonly name: EntityName
  readonly columns: readonly Column[]
  readonly labels: Labels
  /** Columns whose references the user may open. */
  readonly linked: ReadonlySet<string>
  readonly actions: RowActions | null
  readonly zone: string | undefined
  /** The list's own address. */
  readonly href: string
  readonly actionsOn: (title: string) => string
  /** The sticky position of each column; null if it scrolls away. */
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
          data-row-check
          checked={isSelected}
          aria-label={setting.selectLabel(rowTitle(setting.name, row))}
          onChange={(event) => setting.select([row.id], event.currentTarget.checked)}
        />
        {setting.actions === null ? null : <MenuButton row={row} setting={setting} actions={setting.actions} />}
      </td>
      {setting.columns.map((column, index) => cellOf(row, column, index, setting))}
      <td aria-hidden className={classes.filler} />
    </tr>
  )
})

/** The row that has the field at the end of the path. */
function ownerOf(row: Row, path: string): Row | undefined {
  const at = path.lastIndexOf('.')
  const owner = at < 0 ? row : valueAt(row, path.slice(0, at))
  // References of the wire are rows.
  return typeof owner === 'object' && owner !== null && !Array.isArray(owner) ? (owner as Row) : undefined
}

/** What a column shows of a row: `text` is the whole content, or null if it contains more than text. */
export function contentOf(row: Row, { entity, name, field, path }: Column, { labels, zone }: RowSetting) {
  const value = valueAt(row, path)
  const text = TEXT_KINDS.has(field.kind) ? textOf(labels, entity, name, field, value) : null
  const shown =
    (field.kind !== 'uuid' && text) || fieldValue({ labels, entity, name, field, value, row: ownerOf(row, path), zone })
  return { value, text, shown }
}

/** Not a component, because scrolling creates dozens of cells per frame. */
function cellOf(row: Row, column: Column, index: number, setting: RowSetting): ReactNode {
  const { path } = column
  const isFirst = index === 0
  const left = setting.lefts[index] ?? null
  const { value, text, shown } = contentOf(row, column, setting)
  // The first column is narrower on a narrow screen.
  const isCut = isFirst || mayBeCut(column, setting.labels, value, text)
  const href = isFirst ? firstPath(row, setting) : cellPath(row, column, value, setting)
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

/** Kinds whose cells contain only text; a tooltip shows the whole of it. */
const TEXT_KINDS: ReadonlySet<string> = new Set([
  'text',
  'uuid',
  'reference',
  'references',
  'choices',
  'texts',
  'derived',
])

/** The address that the title of a row opens. */
export const firstPath = ({ id }: Row, { name, href }: RowSetting): string =>
  recordPath(name, id) ?? panelPath(href, id)

/** The address that a cell opens: that of its reference, or, for a state with warnings, of the record that names them; null if none. */
export function cellPath(row: Row, column: Column, value: unknown, setting: RowSetting): string | null {
  if (column.field.kind !== 'choice' || value !== 'warnings') return referencePath(column, value, setting)
  const named = setting.columns.find(({ path }) => path === entityOf(setting.name).warningsIn)
  return (named && referencePath(named, row[named.path], setting)) ?? firstPath(row, setting)
}

/** Null also if the user may not open it. */
function referencePath({ field, path }: Column, value: unknown, { linked }: RowSetting): string | null {
  if (!linked.has(path) || typeof value !== 'object' || value === null || !('id' in value)) return null
  const target = targetOf(field)
  return target !== null && typeof value.id === 'number' ? recordPath(target, value.id) : null
}

/** Creates the menu when it is first opened: hundreds of rows need hundreds of buttons, but not menus. */
export function MenuButton({ row, setting, actions }: { row: Row; setting: RowSetting; actions: RowActions }) {
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
    <RowMenu name={setting.name} row={row} actions={actions}>
      {button()}
    </RowMenu>
  ) : (
    button(() => setMade(true))
  )
}
