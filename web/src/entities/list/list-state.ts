// The state of a list in the address, in the grammar of the wire. The address overrides stored state, which overrides defaults.
import type { RoleKind } from '@tributary/contract/access'
import type { EntityName } from '@tributary/contract/entities/registry'
import { activeField as flagOf, type OpeningPeriod } from '@tributary/contract/entity'
import { keepFilterValues } from '@tributary/contract/filter'
import { PAGE_SIZES } from '@tributary/contract/limits'
import {
  type Condition,
  EMPTY_QUERY,
  type ListQuery,
  parseListQuery,
  writeListQuery,
} from '@tributary/contract/list-query'
import { addDays, presetPeriod } from '@tributary/contract/period'
import { entityOf, fieldAt } from '../field/field-at.ts'
import { cleanConditions } from '../filter/condition.ts'

/** The stored state of a list. Page and search text are not stored. */
export interface StoredList {
  readonly limit: number
  readonly order: ListQuery['order']
  readonly conditions: readonly Condition[]
  readonly panel: boolean
}

/** Parameters of the address as the router parses them. */
export type Search = Readonly<Record<string, unknown>>

const TWO_WEEKS = 14

/** The path of the period with which a list opens. It is never stored, because it moves with the day. */
export const periodPath = (name: EntityName): string | null => entityOf(name).list.opens?.path ?? null

function openingDays(period: OpeningPeriod, today: string): [string, string] {
  if (period === 'two_weeks') return [addDays(today, 1 - TWO_WEEKS), today]
  const { from, to } = presetPeriod(period, today)
  return [from, to]
}

/** The flag that deactivates rows, if the entity has one. */
export const activeField = (name: EntityName) => flagOf(entityOf(name))

/** `today` is a business day. */
export function defaultQuery(name: EntityName, today: string): ListQuery {
  const { list } = entityOf(name)
  const flag = activeField(name)
  const { opens } = list
  const conditions: Condition[] = []
  if (flag !== null) conditions.push({ path: flag, operator: 'eq', values: ['1'] })
  conditions.push(...(list.opensWith ?? []))
  if (opens) conditions.push({ path: opens.path, operator: 'bwn', values: openingDays(opens.period, today) })
  const order = list.sort
    ? [{ path: list.sort.by, desc: list.sort.desc }]
    : [...(flag === null ? [] : [{ path: flag, desc: true }]), { path: 'id', desc: true }]
  return { ...EMPTY_QUERY, conditions, order }
}

const isListKey = (key: string) => /^(page|limit|query|filter\[|order\[)/.test(key)

type Param = readonly [string, string]

function listParams(search: Search): Param[] {
  const params: Param[] = []
  for (const [key, value] of Object.entries(search)) {
    if (!isListKey(key)) continue
    const items = Array.isArray(value) ? value : [value]
    // A page below 1 is the first page.
    for (const item of items) params.push([key, key === 'page' && Number(item) < 1 ? '1' : String(item)])
  }
  return params
}

/** Null if the parameters break the grammar. */
function parse(params: readonly Param[]): ListQuery | null {
  try {
    return parseListQuery(params)
  } catch {
    return null
  }
}

/** Null if the address has no list parameters that can be read. */
export function readSearch(search: Search): ListQuery | null {
  const params = listParams(search).filter((param) => parse([param]) !== null)
  const query = params.length === 0 ? null : parse(params)
  if (query === null) return null
  const limit = isPageSize(query.limit) ? query.limit : EMPTY_QUERY.limit
  return { ...query, limit, conditions: cleanConditions(query.conditions) }
}

/** Replaces the list's parameters of the address; other parameters stay. */
export function writeSearch(query: ListQuery, search: Search = {}): Record<string, unknown> {
  const kept = Object.entries(search).filter(([key]) => !isListKey(key))
  const written = new Map<string, string>()
  for (const [key, value] of writeListQuery(query)) {
    const name = key.replace(/\[\]$/, '')
    const before = written.get(name)
    written.set(name, before === undefined ? value : `${before}|${value}`)
  }
  return Object.fromEntries([...kept, ...[...written].map(([key, value]) => [key, toPlain(value)] as const)])
}

/** The router quotes a text that looks like a number, so it is passed as a number. */
function toPlain(text: string): string | number {
  const value = Number(text)
  return text !== '' && Number.isSafeInteger(value) && String(value) === text ? value : text
}

/** True for a page size that lists offer. */
export const isPageSize = (value: unknown): value is (typeof PAGE_SIZES)[number] =>
  (PAGE_SIZES as readonly unknown[]).includes(value)

/** The query of a stored state; conditions on the path `period` come from `defaults`. */
export function fromStored(stored: StoredList, defaults: ListQuery, period: string | null): ListQuery {
  const own = defaults.conditions.filter(({ path }) => path === period)
  return {
    ...defaults,
    limit: stored.limit,
    order: stored.order.length > 0 ? stored.order : defaults.order,
    conditions: [...stored.conditions, ...own],
  }
}

/** The state to store; conditions on the path `period` are omitted. */
export function toStored(query: ListQuery, panel: boolean, period: string | null): StoredList {
  return {
    limit: query.limit,
    order: query.order,
    conditions: query.conditions.filter(({ path }) => path !== period),
    panel,
  }
}

/** Drops conditions and orders on fields that no longer exist or are hidden from the user, and values that their fields cannot hold. */
export function dropHidden(name: EntityName, role: RoleKind, query: ListQuery): ListQuery {
  return {
    ...query,
    conditions: query.conditions.flatMap((condition) => keepCondition(name, role, condition) ?? []),
    order: query.order.filter(({ path }) => fieldAt(name, path, role) !== null),
  }
}

function keepCondition(name: EntityName, role: RoleKind, condition: Condition): Condition | null {
  const found = fieldAt(name, condition.path, role)
  return found === null ? null : keepFilterValues(found.field, condition)
}

/** What a list leaves out of its address: paths of fields whose condition or order cannot be read or is cut by `dropHidden`, and names of other parameters. */
export function findLeftOut(name: EntityName, role: RoleKind, search: Search): string[] {
  const query = readSearch(search)
  const unread = listParams(search).filter((param) => query === null || parse([param]) === null)
  const cut = [
    ...(query?.conditions ?? []).filter((condition) => keepCondition(name, role, condition) !== condition),
    ...(query?.order ?? []).filter(({ path }) => fieldAt(name, path, role) === null),
  ]
  return [...new Set([...unread.map(([key]) => pathIn(key)), ...cut.map(({ path }) => path)])]
}

/** 'filter[offer.title][like]' → 'offer.title'. */
const pathIn = (key: string): string => /^(?:filter|order)\[([\w.]+)\]/.exec(key)?.[1] ?? key

/** The order after a click on a column header: ascending, descending, then the default. */
export function nextOrder(order: ListQuery['order'], path: string, defaults: ListQuery['order']): ListQuery['order'] {
  const [first] = order
  if (first?.path !== path || order.length > 1) return [{ path, desc: false }]
  return first.desc ? defaults : [{ path, desc: true }]
}
