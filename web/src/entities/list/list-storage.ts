// Stores the state of each list in this browser: filters, page size, sort, panel, and the order and width of columns.
import type { EntityName } from '@tributary/contract/entities/registry'
import { OPERATORS } from '@tributary/contract/list-query'
import { localStore, readStored, writeStored } from '../../lib/storage.ts'
import { isPageSize, type StoredList } from './list-state.ts'

/** The columns of a list as this user arranged them. */
export interface StoredColumns {
  /** Paths of shown columns, in order. */
  readonly shown: readonly string[]
  /** Widths in pixels that the user set. */
  readonly widths: Readonly<Record<string, number>>
  /** Paths of pinned columns beside the first one. */
  readonly pinned?: readonly string[]
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const isOrder = (value: unknown) => isRecord(value) && typeof value.path === 'string' && typeof value.desc === 'boolean'
const isCondition = (value: unknown) =>
  isRecord(value) &&
  typeof value.path === 'string' &&
  (OPERATORS as readonly unknown[]).includes(value.operator) &&
  isTexts(value.values)

/** True for a stored state of valid shape. Paths may be unknown. */
export function isStoredList(value: unknown): value is StoredList {
  return (
    isRecord(value) &&
    isPageSize(value.limit) &&
    typeof value.panel === 'boolean' &&
    Array.isArray(value.order) &&
    value.order.every(isOrder) &&
    Array.isArray(value.conditions) &&
    value.conditions.every(isCondition)
  )
}

/** True for stored columns of valid shape. Paths may be unknown. */
export function isStoredColumns(value: unknown): value is StoredColumns {
  return (
    isRecord(value) &&
    isTexts(value.shown) &&
    isRecord(value.widths) &&
    Object.values(value.widths).every((width) => typeof width === 'number' && width > 0) &&
    (value.pinned === undefined || isTexts(value.pinned))
  )
}

const listKey = (name: EntityName) => `list:${name}`
const columnsKey = (name: EntityName) => `columns:${name}`

/** The last state of a list in this browser; null if there is none or its shape is unknown. */
export const readStoredList = (name: EntityName): StoredList | null =>
  readStored(localStore(), listKey(name), isStoredList)
/** False if the browser stores nothing. */
export const writeStoredList = (name: EntityName, list: StoredList): boolean =>
  writeStored(localStore(), listKey(name), list)
/** The columns of a list in this browser; null if there are none or their shape is unknown. */
export const readStoredColumns = (name: EntityName): StoredColumns | null =>
  readStored(localStore(), columnsKey(name), isStoredColumns)
/** False if the browser stores nothing. */
export const writeStoredColumns = (name: EntityName, columns: StoredColumns): boolean =>
  writeStored(localStore(), columnsKey(name), columns)

/** The user's default view of a list, as last loaded. */
export type StoredView = Pick<StoredList, 'limit' | 'order' | 'conditions'>

const viewKey = (name: EntityName) => `view:${name}`
const isStoredView = (value: unknown): value is StoredView =>
  isRecord(value) && isStoredList({ ...value, panel: false })

/** The default view of a list; null if the user has none. */
export const readDefaultView = (name: EntityName): StoredView | null =>
  readStored(localStore(), viewKey(name), isStoredView)

/** Null removes it. */
export function writeDefaultView(name: EntityName, view: StoredView | null): void {
  if (view === null) localStore()?.removeItem(viewKey(name))
  else writeStored(localStore(), viewKey(name), view)
}

const addresses = new Map<EntityName, string>()

/** The last address of a list on this page, to which Back on a row returns. */
export const listAddress = (name: EntityName): string | null => addresses.get(name) ?? null
/** Sets `listAddress`. */
export function rememberAddress(name: EntityName, href: string): void {
  addresses.set(name, href)
}
