// Columns of a list: available ones, default ones and widths, derived from fields and changed by the user.
import type { RoleKind } from '@tributary/contract/access'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import { SORTABLE_KINDS } from '@tributary/contract/filter'
import type { StoredColumns } from '../list/list-storage.ts'
import { entityOf, type FoundField, fieldAt } from './field-at.ts'

export interface Column extends FoundField {
  readonly path: string
  readonly width: number
  /** What it takes of the room that the table leaves, as a CSS length; nothing by default. */
  readonly growth?: string
  /** A name keeps room for 15 characters. */
  readonly minWidth: number
  readonly isNumber: boolean
  readonly isSorted: boolean
  /** Stays visible when the table scrolls sideways. The first column always does. */
  readonly isPinned: boolean
}

const WIDTHS: Readonly<Partial<Record<Field['kind'], number>>> = {
  integer: 110,
  decimal: 105,
  boolean: 90,
  date: 110,
  datetime: 160,
  choice: 140,
  uuid: 150,
  reference: 170,
  references: 190,
  text: 170,
  derived: 260,
}
/** Widths of short ids and words, of the moment of a row, which has seconds, of what a change did, and of a country with its media ID. */
const OWN_WIDTHS: Readonly<Record<string, number>> = {
  id: 80,
  active: 100,
  code: 80,
  version: 90,
  currency: 115,
  created_at: 190,
  changed: 420,
  advertiser_country: 220,
}
/** The first column contains the title of the row. */
const FIRST_WIDTH = 250
/** A first column of months or days leaves room for the amount beside it; a Russian month ends in 'г.'. */
const FIRST_DATE_WIDTH = 136
/** All letters of a UUID. */
const FIRST_UUID_WIDTH = 300
const MIN_WIDTH = 60
const MIN_NAME_WIDTH = 144
export const MAX_WIDTH = 640

const isMonth = (field: Field) => field.kind === 'text' && field.format === 'month'
const isDate = (field: Field) => field.kind === 'date' || isMonth(field)

/** Codes and external ids, which are short. */
const SHORT_WIDTH = 120
const isShort = (field: Field) =>
  field.kind === 'text' &&
  (isMonth(field) || field.format === 'token' || field.format === 'country' || (field.max ?? 255) <= 64)

/** Email, domain and URL, which differ at their ends. */
const LONG_WIDTH = 260
const isLong = (field: Field) => field.kind === 'text' && /^(email|domain|url)$/.test(field.format ?? '')

/** An amount of seven digits with its currency. */
const MONEY_WIDTH = 148
const isMoney = (field: Field) => field.kind === 'decimal' && field.unit === 'money'

const isShowable = ({ kind }: Field) => kind !== 'children' && kind !== 'json'

function widthOf(field: Field): number {
  if (isLong(field)) return LONG_WIDTH
  if (isMoney(field) || (field.kind === 'derived' && field.isNumber === true)) return MONEY_WIDTH
  return isShort(field) ? SHORT_WIDTH : (WIDTHS[field.kind] ?? 150)
}

const isName = (field: Field) => field.kind === 'reference' || (field.kind === 'text' && !isShort(field))

const isNumber = ({ field, name }: FoundField): boolean =>
  (field.kind === 'integer' && name !== 'id') ||
  field.kind === 'decimal' ||
  (field.kind === 'derived' && field.isNumber === true)

function toColumn(name: EntityName, path: string, role?: RoleKind): Column | null {
  const found = fieldAt(name, path, role)
  if (found === null || !isShowable(found.field)) return null
  const { kind } = found.field
  return {
    ...found,
    path,
    width: OWN_WIDTHS[found.name] ?? widthOf(found.field),
    minWidth: isName(found.field) && !(found.name in OWN_WIDTHS) ? MIN_NAME_WIDTH : MIN_WIDTH,
    isNumber: isNumber(found),
    isPinned: false,
    isSorted: SORTABLE_KINDS.has(kind) && !found.field.unfiltered && !found.field.unsorted,
  }
}

/** Paths in the order of the chooser: those of the entity's list, then all other fields. */
function allPaths(name: EntityName): string[] {
  const entity = entityOf(name)
  return [
    ...new Set([
      ...entity.list.columns,
      ...(entity.hasActive ? ['active'] : []),
      ...Object.keys(entity.fields),
      'id',
      'created_at',
      'updated_at',
    ]),
  ]
}

export function availableColumns(name: EntityName, role?: RoleKind): Column[] {
  return allPaths(name).flatMap((path) => toColumn(name, path, role) ?? [])
}

function defaultPaths(name: EntityName, role: RoleKind): readonly string[] {
  const { list, hasActive } = entityOf(name)
  const [first, ...others] = list.columns
  const leading = role === 'PARTNER' ? (list.partnerColumns ?? []) : []
  return [
    ...new Set([...(first === undefined ? [] : [first]), ...leading, ...others, ...(hasActive ? ['active'] : [])]),
  ]
}

function firstWidth(field: Field): number {
  if (field.kind === 'uuid') return FIRST_UUID_WIDTH
  return isDate(field) || field.kind === 'datetime' ? FIRST_DATE_WIDTH : FIRST_WIDTH
}

/** Pixels of a letter of a header: Cyrillic ones are wider. */
const letterWidth = (label: string) => (/[а-яё]/i.test(label) ? 8.2 : 7.2)
/** The least width that shows a whole header: its letters, icons and padding. */
const headWidth = (label: string) => Math.min(220, Math.round(label.length * letterWidth(label)) + 46)

/** The least width that shows a whole badge: its longest word, the dot and the padding. */
const badgeWidth = (words: readonly string[]) =>
  words.length === 0 ? 0 : Math.min(220, Math.round(Math.max(...words.map((word) => word.length)) * 7.4) + 52)

/** The shown columns in order, with widths. Stored paths that no longer exist are omitted. */
export function shownColumns(
  name: EntityName,
  role: RoleKind,
  stored: StoredColumns | null,
  labelOf: (path: string) => string,
  /** The texts that badges of a column may have. */
  badgesOf: (column: Column) => readonly string[] = () => [],
): Column[] {
  const available = new Map(availableColumns(name, role).map((column) => [column.path, column]))
  const chosen = (stored?.shown ?? []).filter((path) => available.has(path))
  const paths = chosen.length > 0 ? chosen : defaultPaths(name, role)
  const pinned = new Set(stored?.pinned ?? [])
  const [first, further] = [paths.slice(0, 1), paths.slice(1)]
  // Pinned columns follow the first column.
  return [...first, ...further.filter((path) => pinned.has(path)), ...further.filter((path) => !pinned.has(path))]
    .flatMap((path) => available.get(path) ?? [])
    .map((column, index) => {
      const least = Math.max(
        column.width,
        headWidth(labelOf(column.path)),
        badgeWidth(badgesOf(column)),
        index > 0 ? 0 : firstWidth(column.field),
      )
      const isPinned = index === 0 || pinned.has(column.path)
      const width = Math.max(column.minWidth, stored?.widths[column.path] ?? least)
      return { ...column, isPinned, width }
    })
}

/** Moves a path to a place. */
export function movePath(paths: readonly string[], path: string, to: number): string[] {
  const from = paths.indexOf(path)
  const moved = [...paths]
  if (from === -1 || to < 0 || to >= paths.length) return moved
  moved.splice(from, 1)
  moved.splice(to, 0, path)
  return moved
}

export const togglePinned = (pinned: readonly string[], path: string): string[] =>
  pinned.includes(path) ? pinned.filter((other) => other !== path) : [...pinned, path]

/** The last shown column cannot be hidden. */
export function togglePath(paths: readonly string[], path: string): string[] {
  if (!paths.includes(path)) return [...paths, path]
  return paths.length === 1 ? [...paths] : paths.filter((other) => other !== path)
}
