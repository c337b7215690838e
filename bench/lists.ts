// Measures every filter and sort of the two largest lists on the embedded database, with the plan of each. No plan may read a large table from end
// to end. BENCH_SIZE is the fraction of the full size (100,000 partner offers, a million changes); the budgets are for 1.
// BENCH_DATA names a folder that stores the filled database for the next run. BENCH_ONLY selects queries by title; 'deep' selects the deepest pages,
// 'requests' lists under load.

import { rmSync } from 'node:fs'
import { ENTITIES, type EntityName } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import type { ListQuery } from '@tributary/contract/list-query'
import { loadConfig } from '../server/src/config.ts'
import type { RequestContext } from '../server/src/entities/engine/model/request-context.ts'
import { listEntity } from '../server/src/entities/engine/store.ts'
import { createLog } from '../server/src/lib/log.ts'
import { stopAll, type Undo } from '../server/src/lib/undo.ts'
import { startServices } from '../server/src/server.ts'
import type { Services } from '../server/src/services.ts'
import { makeDataDirectory } from './data-directory.ts'
import { measureDeepPages } from './deep-pages.ts'
import type { Figure } from './figure.ts'
import { casesOf } from './list-cases.ts'
import { measureListRequests } from './list-requests.ts'
import { seedLists } from './seed-lists.ts'

const SIZE = Number(process.env.BENCH_SIZE ?? 1)
const ONLY = process.env.BENCH_ONLY ?? ''
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20)
const LARGE = ['offer_partner', 'audit_log'] as const satisfies readonly EntityName[]
/** Options with which screens request lists. */
const READING = { detailed: true }

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

export async function run(): Promise<Figure[]> {
  if (ONLY === 'requests') return measureListRequests()
  const kept = process.env.BENCH_DATA
  const dataDir = kept ?? makeDataDirectory('lists')
  const log = createLog('error')
  const undo: Undo[] = []
  try {
    const services = await startServices(loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }), log, [], undo)
    await seedLists(services, SIZE)
    const figures: Figure[] = []
    if (ONLY === '') figures.push(...(await measureListRequests()))
    if (ONLY !== 'deep') for (const name of LARGE) figures.push(...(await measureList(services, name)))
    // With fewer rows the page does not exist.
    if (SIZE >= 1 && (ONLY === '' || ONLY === 'deep')) figures.push(await measureDeepPages(administrator(services)))
    return figures
  } finally {
    await stopAll(undo, log)
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Sees every row. */
const administrator = (services: Services): RequestContext => ({
  userId: 1,
  holder: { role: 'ADMIN', permissions: ['FULL_ACCESS'] },
  requestId: 'bench',
  partners: null,
  scopeOf: () => undefined,
  engines: services,
})

async function measureList(services: Services, name: EntityName): Promise<Figure[]> {
  const entity: Entity = ENTITIES[name]
  const context = administrator(services)
  const worst: number[] = []
  let whole = 0
  for (const { title, query } of casesOf(entity).filter((one) => one.title.includes(ONLY))) {
    const plans = await explainAll(
      services,
      await statementsOf(services, () => listEntity(context, entity, query, READING)),
    )
    const times = await measure(context, entity, query)
    const p95 = times[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN
    const isWhole = plans.some(({ scans }) => scans > 0)
    if (isWhole) whole += 1
    worst.push(p95)
    const kinds = [...new Set(plans.flatMap((plan) => plan.kinds))].join(', ')
    console.log(
      `  ${name.padEnd(14)} ${title.padEnd(46)} ${p95.toFixed(1).padStart(7)} ms  best ${(times[0] ?? p95).toFixed(1).padStart(6)}  ${isWhole ? 'SEQUENTIAL: ' : ''}${kinds}`,
    )
  }
  return [
    { name: `lists.${name}_p95`, value: Math.max(...worst), unit: 'ms', runs: worst },
    { name: `lists.${name}_sequential_scans`, value: whole, unit: '' },
  ]
}

async function measure(context: RequestContext, entity: Entity, query: ListQuery): Promise<number[]> {
  const times: number[] = []
  for (let round = -2; round < ROUNDS; round++) {
    const before = performance.now()
    await listEntity(context, entity, query, READING)
    if (round >= 0) times.push(performance.now() - before)
  }
  return times.sort((a, b) => a - b)
}

/** The statements that a reading sends. */
async function statementsOf({ postgres }: Services, read: () => Promise<unknown>): Promise<Statement[]> {
  const { pool } = postgres
  const send = pool.query.bind(pool)
  const sent: Statement[] = []
  const watch = (statement: { text?: string; values?: unknown[] } | string, values?: unknown[]): unknown => {
    if (typeof statement === 'string') sent.push({ text: statement, values: values ?? [] })
    else if (statement.text !== undefined) sent.push({ text: statement.text, values: statement.values ?? [] })
    return Reflect.apply(send, undefined, [statement, values])
  }
  Object.assign(pool, { query: watch })
  try {
    await read()
  } finally {
    Reflect.deleteProperty(pool, 'query')
  }
  return sent.filter(({ text }) => text.startsWith('select'))
}

interface Plan {
  readonly kinds: string[]
  /** Large tables read from end to end. */
  readonly scans: number
}

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: Node[]
}

async function explainAll({ postgres }: Services, statements: readonly Statement[]): Promise<Plan[]> {
  const plans: Plan[] = []
  for (const { text, values } of statements) {
    const { rows } = await postgres.pool.query(`explain (format json) ${text}`, [...values])
    const nodes = flatten(rows[0]['QUERY PLAN'][0].Plan)
    const large = nodes.filter((node) => LARGE.some((name) => name === node['Relation Name']))
    plans.push({
      kinds: large.map((node) => `${node['Node Type']}${node['Index Name'] ? ` ${node['Index Name']}` : ''}`),
      scans: large.filter((node) => node['Node Type'] === 'Seq Scan').length,
    })
  }
  return plans
}

const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
