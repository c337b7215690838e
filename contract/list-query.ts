// Parses and writes a list's state as a query string. Knows the grammar only, no fields.
import { ALL, ALL_CAP, CONDITIONS_CAP, DEFAULT_PAGE_SIZE, FILTER_VALUES_CAP, ORDER_CAP, PAGED_ROWS } from './limits.ts'

/** `eq` is written without an operator; `bwn` takes two bounds; `in` and `nin` take many values. */
export const OPERATORS = ['eq', 'in', 'nin', 'bwn', 'like', 'gt'] as const
export type Operator = (typeof OPERATORS)[number]

/** A filter condition: the row passes if the operator holds for the values. */
export interface Condition {
  /** Field name, or a path through references: 'offer.advertiser'. A trailing '.id' is dropped. */
  readonly path: string
  readonly operator: Operator
  readonly values: readonly string[]
}

/** A parsed request for a list: page, search text, filters and order. */
export interface ListQuery {
  readonly page: number
  readonly limit: number
  readonly query: string
  readonly conditions: readonly Condition[]
  readonly order: readonly { readonly path: string; readonly desc: boolean }[]
}

export const EMPTY_QUERY: ListQuery = { page: 1, limit: DEFAULT_PAGE_SIZE, query: '', conditions: [], order: [] }

/** Answer of a list call. */
export interface ListAnswer<T> {
  items: T[]
  pagination: Pagination
  count_data?: { unapproved: [number] }
  total?: unknown
}

/** The page of an answer, and how many rows there are. */
export interface Pagination {
  page: number
  limit: number
  total: number
  maxPageNumber: number
  /** The total is an estimate. */
  approximate?: true
}

/** Options of a select. */
export interface LookupAnswer {
  options: { id: number | string; title: string; value?: string | null; code?: string | null }[]
  pagination: Pagination
}

/** Pagination of an answer. `limit=-1` on a list above ALL_CAP returns pages of ALL_CAP rows. */
export function paginate(page: number, limit: number, total: number): Pagination {
  if (limit === ALL && total <= ALL_CAP) return { page, limit, total, maxPageNumber: 1 }
  const size = limit === ALL ? ALL_CAP : limit
  return { page, limit: size, total, maxPageNumber: Math.max(1, Math.ceil(total / size)) }
}

/** Like `paginate`, but the last page is at most the last one within PAGED_ROWS. */
export function paginateList(page: number, limit: number, total: number): Pagination {
  const whole = paginate(page, limit, total)
  if (whole.limit === ALL) return whole
  return { ...whole, maxPageNumber: Math.min(whole.maxPageNumber, Math.floor(PAGED_ROWS / whole.limit)) }
}

/** Number of rows and offset of a page. */
export function sliceOfPage({ page, limit }: Pick<ListQuery, 'page' | 'limit'>): { size: number; offset: number } {
  const size = limit === ALL ? ALL_CAP : limit
  return { size, offset: (page - 1) * size }
}

/** True if the page has rows beyond PAGED_ROWS. */
export function isTooDeep(query: Pick<ListQuery, 'page' | 'limit'>): boolean {
  const { size, offset } = sliceOfPage(query)
  return offset + size > PAGED_ROWS
}

/** True if the condition filters. One whose values are all empty does not; one without any value matches no row. */
export const isGiven = ({ values }: Condition): boolean => values.length === 0 || values.some((value) => value !== '')

type QueryIssue = 'value_invalid' | 'unknown_field' | 'unknown_operator'

/** Thrown if the query string breaks the grammar; `key` is the invalid parameter. */
export class ListQueryError extends Error {
  readonly key: string
  /** Message key. */
  readonly issue: QueryIssue
  constructor(key: string, reason: string, issue: QueryIssue = 'value_invalid') {
    super(`${key}: ${reason}`)
    this.key = key
    this.issue = issue
  }
}

/** Allows one filter of the largest size with a parameter for each value, plus all other parameters. */
const PARAMETERS_CAP = FILTER_VALUES_CAP + CONDITIONS_CAP + ORDER_CAP + 10

const FILTER = /^filter\[([\w.]+)\](?:\[(\w+)\])?(\[\d*\])?$/
const ORDER = /^order\[([\w.]+)\]$/
const isOperator = (word: string): word is Operator => (OPERATORS as readonly string[]).includes(word)
const trimPath = (path: string) => (path.endsWith('.id') ? path.slice(0, -3) : path)

function readWhole(key: 'page' | 'limit', text: string): number {
  const value = Number(text)
  const isAll = key === 'limit' && value === ALL
  if (!Number.isSafeInteger(value) || value > 1_000_000_000 || (value < 1 && !isAll))
    throw new ListQueryError(key, 'not a number')
  return value
}

/** Parses a query string. Throws ListQueryError like `parseListQuery`, and for more parameters than any query needs. */
export function parseListText(text: string, known: readonly string[] = []): ListQuery {
  if (text.split('&', PARAMETERS_CAP + 1).length > PARAMETERS_CAP) throw new ListQueryError('filter', 'too many')
  return parseListQuery(new URLSearchParams(text), known)
}

/** Parses parameters into a query. Throws ListQueryError for anything outside the grammar; parameters in `known` are ignored. */
export function parseListQuery(params: Iterable<readonly [string, string]>, known: readonly string[] = []): ListQuery {
  let { page, limit, query } = EMPTY_QUERY
  const conditions = new Map<string, { path: string; operator: Operator; values: string[] }>()
  const order: { path: string; desc: boolean }[] = []
  for (const [key, value] of params) {
    const filter = FILTER.exec(key)
    const sort = filter ? null : ORDER.exec(key)
    if (key === 'page') page = readWhole(key, value)
    else if (key === 'limit') limit = readWhole(key, value)
    else if (key === 'query') query = value
    else if (filter) addCondition(conditions, key, filter, value)
    else if (sort?.[1] !== undefined) order.push({ path: trimPath(sort[1]), desc: readDirection(key, value) })
    else if (!known.includes(key)) throw new ListQueryError(key, 'unknown parameter', 'unknown_field')
    if (conditions.size > CONDITIONS_CAP || order.length > ORDER_CAP) throw new ListQueryError(key, 'too many')
  }
  return { page, limit, query: query.trim(), conditions: [...conditions.values()], order }
}

function readDirection(key: string, value: string): boolean {
  const word = value.toUpperCase()
  if (word !== 'ASC' && word !== 'DESC') throw new ListQueryError(key, 'ASC or DESC')
  return word === 'DESC'
}

function addCondition(
  conditions: Map<string, { path: string; operator: Operator; values: string[] }>,
  key: string,
  match: RegExpExecArray,
  value: string,
): void {
  const path = trimPath(match[1] ?? '')
  const operator = match[2] ?? 'eq'
  if (!isOperator(operator)) throw new ListQueryError(key, `unknown operator ${operator}`, 'unknown_operator')
  const name = `${path} ${operator}`
  const found = conditions.get(name) ?? { path, operator, values: [] }
  if (operator === 'nin' || operator === 'bwn' || operator === 'in')
    found.values.push(...(match[3] ? [value] : value.split('|', FILTER_VALUES_CAP + 1)))
  else found.values = [value]
  if (found.values.length > FILTER_VALUES_CAP) throw new ListQueryError(key, 'too many values')
  if (operator === 'bwn' && found.values.length > 2) throw new ListQueryError(key, 'two ends expected')
  conditions.set(name, found)
}

/** Writes a query as parameters in a stable order; omits empty values and operators without a value. */
export function writeListQuery(query: ListQuery): [string, string][] {
  const params: [string, string][] = [
    ['page', String(query.page)],
    ['limit', String(query.limit)],
  ]
  if (query.query !== '') params.push(['query', query.query])
  for (const { path, operator, values } of query.conditions) {
    const filled = operator === 'bwn' ? values : values.filter((value) => value !== '')
    if (filled.length === 0 || filled.every((value) => value === '')) continue
    if (operator === 'in') for (const value of filled) params.push([`filter[${path}][in][]`, value])
    else if (operator === 'eq') params.push([`filter[${path}]`, filled[0] ?? ''])
    else params.push([`filter[${path}][${operator}]`, filled.join('|')])
  }
  for (const { path, desc } of query.order) params.push([`order[${path}]`, desc ? 'DESC' : 'ASC'])
  return params
}
