// Answers the values of a text filter within the viewer's scope, for suggestions while a person types.
import { ALL, OPTION_CAP } from '@tributary/contract/limits'
import { type LookupAnswer, paginate } from '@tributary/contract/list-query'
import { reportFilterOf, type ValuedFilterName } from '@tributary/contract/reports/choices'
import type { ReportValuesQuery } from '@tributary/contract/reports/general'
import { isVisibleTo } from '@tributary/contract/reports/traffic'
import type { Clickhouse } from '../clickhouse/client.ts'
import { AppError } from '../lib/app-error.ts'
import { Params, type Statement } from './engine/params.ts'
import type { Viewer } from './engine/query.ts'

interface Place {
  readonly column: string
  readonly tables: readonly string[]
}

const PLACES = {
  affiliateId: { column: 'affiliate_id', tables: ['affiliate_map'] },
  siteId: { column: 'site_id', tables: ['click', 'click_day', 'activity_fact', 'spend_fact'] },
  subId: { column: 'sub_id', tables: ['click', 'activity_fact'] },
  promocode: { column: 'promocode', tables: ['click', 'activity_fact'] },
  mediaId: { column: 'media_id', tables: ['click', 'activity_fact'] },
  playerOuterId: { column: 'outer_id', tables: ['activity_fact'] },
} as const satisfies Record<ValuedFilterName, Place>

export async function answerFilterValues(
  query: ReportValuesQuery,
  viewer: Viewer,
  clickhouse: Clickhouse,
  signal?: AbortSignal,
): Promise<LookupAnswer> {
  if (!isVisibleTo(reportFilterOf(query.field), viewer.role)) throw new AppError('forbidden')
  const limit = query.limit === ALL ? OPTION_CAP : query.limit
  const { sql, params } = compileFilterValues({ ...query, limit }, viewer)
  const { rows } = await clickhouse.table(sql, params, { lane: 'short', ...(signal !== undefined && { signal }) })
  const total = Number(rows[0]?.[1] ?? 0)
  return {
    options: rows.map(([value]) => ({ id: String(value), title: String(value), value: String(value) })),
    pagination: paginate(query.page, limit, total),
  }
}

export function compileFilterValues({ field, query, page, limit }: ReportValuesQuery, viewer: Viewer): Statement {
  const params = new Params()
  const { column, tables } = PLACES[field]
  const scope = viewer.partners === null ? '' : ` and partner_id in ${params.bind('Array(UInt32)', viewer.partners)}`
  const matching =
    query === '' ? '' : ` and positionCaseInsensitiveUTF8(toString(${column}), ${params.bind('String', query)}) > 0`
  const selects = tables.map(
    (table) =>
      `select toString(${column}) as value from ${table} where ${column} != ''${scope}${matching} group by value`,
  )
  const sql = `select value, count() over () as total from (${selects.join('\nunion distinct\n')})
order by value limit ${params.bind('UInt64', limit)} offset ${params.bind('UInt64', (page - 1) * limit)}`
  return { sql, params: params.values }
}
