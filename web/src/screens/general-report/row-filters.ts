// Narrows the report to chosen rows, or to all but these: by filters, or by another period if the rows are days, weeks or months.
import { addDays, earlierDay, laterDay, type Period } from '@tributary/contract/period'
import type { ReportFilterName } from '@tributary/contract/reports/choices'
import type { ReportGroup } from '@tributary/contract/reports/general'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import { entityOf, rememberOptions } from '../../reports/filter/filter-options.ts'
import type { Narrowing } from '../../reports/filter/filter-state.ts'
import { type ReportState, secondPeriodOf } from './report-state.ts'

/** Remembers the titles of chosen rows, so that the chips of their filters show the same names. */
export function rememberTitles(dimension: ChosenRows['dimension'], groups: ChosenRows['groups']): void {
  const filter = filterOfDimension(dimension)
  const entity = filter === null ? null : entityOf(filter)
  if (entity !== null)
    rememberOptions(
      entity,
      groups.map(({ id, title }) => ({ id, title })),
    )
}

/** The filter that selects groups of a dimension; null if there is none. */
const FILTER_OF: Readonly<Record<DimensionName, ReportFilterName | null>> = {
  offer: 'offers',
  advertiser: 'advertisers',
  product: 'products',
  payment_model: 'paymentModels',
  partner: 'partners',
  stream: 'streams',
  partner_group: 'partnerGroups',
  manager: 'managers',
  affiliate_id: 'affiliateId',
  traffic_source: 'trafficSources',
  landing: 'landings',
  site_id: 'siteId',
  sub_id: 'subId',
  site_id_sub_id: null,
  promocode: 'promocode',
  country: 'countries',
  actual_country: 'geoCountry',
  player_outer_id: 'playerOuterId',
  day: null,
  week: null,
  month: null,
}

const filterOfDimension = (dimension: DimensionName): ReportFilterName | null => FILTER_OF[dimension]

/** Filters, or the period, that keep only this group; null if none can. */
export function onlyGroup(
  state: ReportState,
  dimension: DimensionName,
  group: ReportGroup,
): Partial<ReportState> | null {
  const period = periodOfGroup(state, dimension, String(group.id))
  if (period) return period
  if (dimension === 'site_id_sub_id')
    return {
      filters: {
        ...state.filters,
        siteId: { mode: 'in', values: [group.site_id ?? ''] },
        subId: { mode: 'in', values: [group.sub_id ?? ''] },
      },
    }
  const filter = FILTER_OF[dimension]
  return filter === null
    ? null
    : { filters: { ...state.filters, [filter]: { mode: 'in', values: [group.id] } satisfies Narrowing } }
}

/** Rows that were chosen together: groups of one dimension, all inside the same rows. */
export interface ChosenRows {
  readonly path: readonly { readonly dimension: DimensionName; readonly groups: readonly ReportGroup[] }[]
  readonly dimension: DimensionName
  readonly groups: readonly ReportGroup[]
}

/** Filters that keep these rows and the rows that contain them; null if no filters can. */
export function onlyRows(state: ReportState, { path, dimension, groups }: ChosenRows): Partial<ReportState> | null {
  let edit: Partial<ReportState> = {}
  for (const step of [...path, { dimension, groups }]) {
    const next = onlyGroups({ ...state, ...edit }, step.dimension, step.groups)
    if (next === null) return null
    edit = { ...edit, ...next }
  }
  return edit
}

function onlyGroups(
  state: ReportState,
  dimension: DimensionName,
  groups: readonly ReportGroup[],
): Partial<ReportState> | null {
  const [first, ...others] = groups
  if (first === undefined) return null
  const only = onlyGroup(state, dimension, first)
  const filter = FILTER_OF[dimension]
  if (only === null || others.length === 0) return only
  const values = groups.map(({ id }) => id)
  return filter === null ? null : { filters: { ...state.filters, [filter]: { mode: 'in', values } } }
}

/** Filters that remove these rows; null if no filters can. */
export function withoutRows(state: ReportState, { dimension, groups }: ChosenRows): Partial<ReportState> | null {
  const filter = FILTER_OF[dimension]
  if (filter === null || groups.length === 0) return null
  const ids = groups.map(({ id }) => id)
  const narrowing = withoutValues(state.filters[filter], ids)
  return narrowing && { filters: { ...state.filters, [filter]: narrowing } }
}

export const withoutGroup = (state: ReportState, dimension: DimensionName, group: ReportGroup) =>
  withoutRows(state, { path: [], dimension, groups: [group] })

/** Null if no single filter expresses it: a text filter by a part, or listed values that do not include these ids. */
function withoutValues(before: Narrowing | undefined, ids: readonly (number | string)[]): Narrowing | null {
  if (before === undefined) return { mode: 'nin', values: ids }
  if (before.mode === 'nin') return { mode: 'nin', values: [...before.values, ...ids] }
  if (before.mode === 'like' || !ids.every((id) => before.values.includes(id))) return null
  const left = before.values.filter((value) => !ids.includes(value))
  return left.length > 0 ? { mode: 'in', values: left } : { mode: 'nin', values: ids }
}

/** The days of a date group within the report's period. A group of the second period alone becomes the only period. */
function periodOfGroup(state: ReportState, dimension: DimensionName, id: string): Partial<ReportState> | null {
  const end =
    dimension === 'day'
      ? id
      : dimension === 'week'
        ? addDays(id, 6)
        : dimension === 'month'
          ? addDays(`${addDays(id, 31).slice(0, 7)}-01`, -1)
          : null
  if (end === null) return null
  const first = commonDays({ from: id, to: end }, state)
  if (first !== null) return first
  const period = secondPeriodOf(state)
  const second = period && commonDays({ from: id, to: end }, period)
  return second && { ...second, second: 'off' }
}

/** The days that both periods have in common; null if there are none. */
function commonDays(days: Period, { from, to }: Period): Period | null {
  const common = { from: laterDay(days.from, from), to: earlierDay(days.to, to) }
  return common.from > common.to ? null : common
}
