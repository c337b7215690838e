// Measures the deepest pages that lists allow, of the four logs: in both orders, unfiltered and filtered by a value of many rows. A page has
// 500 rows, as screens request them, or 10,000, the maximum of an answer.

import { ENTITIES, type EntityName } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import { ALL_CAP, PAGED_ROWS } from '@tributary/contract/limits'
import { type Condition, EMPTY_QUERY, type ListQuery } from '@tributary/contract/list-query'
import { listClickhouse } from '../server/src/entities/engine/clickhouse/list.ts'
import type { RequestContext } from '../server/src/entities/engine/model/request-context.ts'
import { listEntity } from '../server/src/entities/engine/store.ts'
import { type Figure, median } from './figure.ts'

const ROUNDS = 5
const LIMITS = [500, ALL_CAP]
/** Values that more than PAGED_ROWS of the seeded rows have. */
const NARROWED = {
  audit_log: [['action', 'update']],
  postback: [
    ['direction', 'in'],
    ['partner', '1'],
  ],
  click_rejection: [['reason', 'link_inactive']],
  click: [['uniqueness', 'unique']],
} as const satisfies Partial<Record<EntityName, readonly (readonly [string, string])[]>>

/** Figure `lists.deep`: the slowest median. */
export async function measureDeepPages(context: RequestContext): Promise<Figure> {
  const medians: number[] = []
  for (const name of Object.keys(NARROWED) as (keyof typeof NARROWED)[]) {
    const entity: Entity = ENTITIES[name]
    const by = entity.list.sort?.by ?? 'created_at'
    const filters: (readonly [string, string] | undefined)[] = [undefined, ...NARROWED[name]]
    for (const filter of filters)
      for (const desc of [true, false])
        for (const limit of LIMITS) {
          const conditions: Condition[] = filter ? [{ path: filter[0], operator: 'eq', values: [filter[1]] }] : []
          const query = { ...EMPTY_QUERY, page: PAGED_ROWS / limit, limit, conditions, order: [{ path: by, desc }] }
          const ms = await measure(context, entity, query)
          medians.push(ms)
          const title = `${by} ${desc ? 'down' : 'up'}${filter ? `, ${filter.join(' ')}` : ''}`
          console.log(
            `  ${name.padEnd(16)} ${title.padEnd(40)} ${String(limit).padStart(6)} rows ${ms.toFixed(0).padStart(6)} ms`,
          )
        }
  }
  return { name: 'lists.deep', value: Math.max(...medians), unit: 'ms', runs: medians }
}

async function measure(context: RequestContext, entity: Entity, query: ListQuery): Promise<number> {
  const times: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const began = performance.now()
    const { items } =
      entity.source === 'clickhouse'
        ? await listClickhouse(context, entity, query)
        : await listEntity(context, entity, query, { detailed: false })
    const took = performance.now() - began
    if (items.length !== query.limit) throw new Error(`${entity.name}: the deepest page has ${items.length} rows`)
    if (round >= 0) times.push(took)
  }
  return median(times)
}
