// Titles of groups: titles of entities from PostgreSQL, texts as they are, and dates in the viewer's language.
import type { Language } from '@tributary/contract/language'
import { formatDay, isDay } from '@tributary/contract/period'
import type { ReportGroup } from '@tributary/contract/reports/general'
import { type DimensionName, dimensionOf } from '@tributary/contract/reports/traffic'
import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import type { Postgres } from '../../postgres/client.ts'
import type { GroupId, ReportQuery } from './query.ts'

/** The columns of each entity's title. Only these identifiers enter SQL. */
const TITLE_COLUMNS: Readonly<Record<string, { readonly title: string; readonly code?: string }>> = {
  offer: { title: 'title' },
  advertiser: { title: 'title' },
  product: { title: 'title' },
  payment_model: { title: 'title' },
  partner: { title: 'title' },
  partner_stream: { title: 'title' },
  partner_group: { title: 'title' },
  user: { title: 'full_name' },
  traffic_source: { title: 'title' },
  landing: { title: 'title' },
  country: { title: 'title', code: 'code' },
  currency: { title: 'value' },
}

function titleColumns(entity: string): (typeof TITLE_COLUMNS)[string] & object {
  const source = TITLE_COLUMNS[entity]
  if (source === undefined) throw new Error(`groups of ${entity} have no title`)
  return source
}

/** The title of a row, and its code if the entity has one. */
export interface Title {
  readonly title: string
  readonly code: string | null
}

/** Titles of existing rows of an entity by id; 0 is skipped. */
export async function readTitles(
  { db }: Postgres,
  entity: string,
  ids: readonly number[],
): Promise<Map<number, Title>> {
  const source = titleColumns(entity)
  const wanted = [...new Set(ids)].filter((id) => id !== 0)
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<{ id: number; title: string; code: string | null }>`
    select id, ${sql.ref(source.title)} as title, ${source.code === undefined ? sql`null` : sql.ref(source.code)} as code
    from ${sql.table(entity)} where id = any(${wanted})`.execute(db)
  return new Map(rows.map(({ id, title, code }) => [id, { title, code }]))
}

/** Titles of the dimension's groups; empty if its groups are texts or dates. */
export async function readGroupTitles(
  postgres: Postgres,
  dimension: DimensionName,
  ids: Iterable<GroupId>,
): Promise<Map<number, Title>> {
  const { entity } = dimensionOf(dimension)
  if (entity === undefined) return new Map()
  const wanted = [...ids].filter((id) => typeof id === 'number')
  return readTitles(postgres, entity, wanted)
}

/** For each level, the ids of its entity in the order of their titles; null if the sort does not need them. */
export type LevelRanks = readonly (readonly number[] | null)[]

/** `depth` is the number of levels that SQL sorts. Flat rows are always sorted by all their groups. */
export async function readLevelRanks(
  { levels, sort, isFlat }: ReportQuery,
  postgres: Postgres,
  depth: number,
): Promise<LevelRanks> {
  const isNeeded = (index: number): boolean => isFlat || (sort?.by === 'group' && index < depth)
  return Promise.all(
    levels.map((level, index) => (isNeeded(index) ? rankTitles(postgres, level) : Promise.resolve(null))),
  )
}

/** Ids of all groups of a dimension in the order of their titles; null if its groups are texts or dates. */
export async function rankTitles({ db }: Postgres, dimension: DimensionName): Promise<number[] | null> {
  const { entity } = dimensionOf(dimension)
  if (entity === undefined) return null
  const { title } = titleColumns(entity)
  const { rows } = await sql<{ id: number; title: string }>`
    select id, ${sql.ref(title)} as title from ${sql.table(entity)}`.execute(db)
  return rows.toSorted((a, b) => compareTexts(a.title, b.title) || a.id - b.id).map(({ id }) => id)
}

/** Order of titles, without case. */
export const compareTexts = (a: string, b: string): number => {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()]
  return left < right ? -1 : left > right ? 1 : 0
}

const PLACEHOLDERS: Readonly<Record<Language, { readonly none: string; readonly promocode: string }>> = {
  en: { none: '<not selected>', promocode: 'No promocode' },
  ru: { none: '<не выбрано>', promocode: 'Без промокода' },
}

/** The title of the group of facts without a value of the dimension. */
export const placeholderOf = (dimension: DimensionName, language: Language): string =>
  PLACEHOLDERS[language][dimension === 'promocode' ? 'promocode' : 'none']

/** True if an id from a request can be a group of the dimension. */
export function canBeGroupId(dimension: DimensionName, id: GroupId): boolean {
  const { value } = dimensionOf(dimension)
  if (value === 'reference') return typeof id === 'number'
  return typeof id === 'string' && (value === 'text' || isDay(id))
}

/** Converts an id to the group of the answer. `titles` has the titles of the dimension's entity; an id without a title becomes '#7'. */
export function toReportGroup(
  dimension: DimensionName,
  id: GroupId,
  titles: ReadonlyMap<number, Title>,
  language: Language,
): ReportGroup {
  const { value } = dimensionOf(dimension)
  if (value === 'day' || value === 'week' || value === 'month') return toDateGroup(value, String(id), language)
  if (id === 0 || id === '')
    return { id, title: placeholderOf(dimension, language), ...groupDetails(dimension, id, '', language) }
  if (typeof id === 'string') return { id, title: id, ...groupDetails(dimension, id, id, language) }
  const found = titles.get(id)
  const title = found?.title ?? `#${id}`
  return {
    id,
    title,
    ...(found?.code != null && { code: found.code }),
    ...groupDetails(dimension, id, title, language),
  }
}

function groupDetails(dimension: DimensionName, id: GroupId, title: string, language: Language): Partial<ReportGroup> {
  if (dimension === 'manager') {
    const [first = '', ...rest] = title.split(' ')
    return { manager_name: first, manager_last_name: rest.join(' '), main_manager: title }
  }
  if (dimension === 'partner_group') return { partner_group: title || placeholderOf(dimension, language) }
  if (dimension !== 'site_id_sub_id') return {}
  // A sub id may contain commas, a site id does not.
  const [site = '', ...sub] = String(id).split(',')
  return { site_id: site, sub_id: sub.join(',') }
}

function toDateGroup(kind: 'day' | 'week' | 'month', id: string, language: Language): ReportGroup {
  const date = Temporal.PlainDate.from(id)
  const { month, year } = date
  const monthTitle = monthTitles[language][month - 1] ?? ''
  if (kind === 'day')
    return { id, title: formatDay(id), date: id, week: date.weekOfYear ?? 0, month, month_title: monthTitle, year }
  if (kind === 'month') return { id, title: `${monthTitle} ${year}`, date: id, month, month_title: monthTitle, year }
  const last = date.add({ days: 6 }).toString()
  return {
    id,
    title: `${formatDay(id)} – ${formatDay(last)}`,
    date: id,
    week: date.weekOfYear ?? 0,
    year: date.yearOfWeek ?? year,
  }
}

const monthTitles: Readonly<Record<Language, readonly string[]>> = { en: listMonths('en'), ru: listMonths('ru') }

function listMonths(language: Language): string[] {
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, index) => format.format(Date.UTC(2026, index, 15)))
}

/** '2026-11-20T21:05:09Z' → '20.11.2026 23:05:09' in the zone. */
export function formatMoment(moment: string, zone: string): string {
  const [day = '', time] = Temporal.Instant.from(moment)
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })
    .split('T')
  return `${formatDay(day)} ${time}`
}
