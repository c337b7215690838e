// Names that are data: databases, addresses, saved reports and other programs contain them, so they must survive renames of code. A line that
// changes or disappears from the golden file breaks somebody; a new line is a new name.
import { hash } from 'node:crypto'
import { PERMISSIONS } from '@tributary/contract/access'
import { ERRORS } from '@tributary/contract/error'
import { LIVE_TOPIC_NAMES } from '@tributary/contract/live'
import { PRESETS } from '@tributary/contract/period'
import { CHANGE_CAUSES } from '@tributary/contract/reports/changes'
import {
  ACTIVITIES,
  BASELINES,
  GENERAL_REPORTS,
  LEVEL_FIELDS,
  LEVELS,
  REPORT_FILTERS,
} from '@tributary/contract/reports/choices'
import { COHORT_BASES, COHORT_METRICS, COHORT_REPORTS } from '@tributary/contract/reports/cohort-choices'
import { FORMULA_PREFIX } from '@tributary/contract/reports/column-name'
import { REPORT_SCREENS } from '@tributary/contract/reports/screen-address'
import { DIMENSIONS, COMPONENTS as METRIC_PARTS, METRICS } from '@tributary/contract/reports/traffic'
import { causesEn } from '@tributary/contract/words/en/causes'
import { en } from '@tributary/contract/words/en/messages'
import { beforeAll, expect, test } from 'vitest'
import { CLICKHOUSE_MIGRATIONS } from '../../src/clickhouse/migrate.ts'
import { lowestId } from '../../src/facts/clicks/click-lines.ts'
import { createWriterWatch } from '../../src/facts/clicks/writer-watch.ts'
import { readWatermark } from '../../src/facts/watermark.ts'
import { readMigrations } from '../../src/lib/migration.ts'
import { MODULES } from '../../src/modules.ts'
import { LIVE_CHANNEL } from '../../src/postgres/live.ts'
import { POSTGRES_MIGRATIONS } from '../../src/postgres/migrate.ts'
import type { Server } from '../../src/server.ts'
import { startTestApp } from '../support/harness.ts'
import { send } from '../support/sign-in.ts'

let server: Server

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
})

/** The lines that a statement returns, sorted by bytes. */
async function record(sql: string): Promise<string[]> {
  const { rows } = await server.services.postgres.pool.query<{ line: string }>(sql)
  return rows.map(({ line }) => line).sort()
}

async function analytics(sql: string): Promise<string[]> {
  return (await server.services.clickhouse.query<{ line: string }>(sql)).map(({ line }) => line).sort()
}

/** Returns `a.b` for each value inside an object. */
function pathsOf(value: object, before = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === 'object' && inner !== null ? pathsOf(inner, `${before}${key}.`) : [`${before}${key}`],
  )
}

const OWN = `n.nspname = 'public'`
/** Partitions are named by the month in which the test runs. */
const WHOLE = 'not c.relispartition'
const IN_FUNCTIONS = (pattern: string): string =>
  `select distinct m[1] as line from pg_proc p join pg_namespace n on n.oid = p.pronamespace,
    regexp_matches(p.prosrc, '${pattern}', 'g') m where ${OWN}`

async function namesOfRecord(): Promise<Record<string, string[]>> {
  return {
    'PostgreSQL: columns':
      await record(`select format('%s.%s %s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then ' not null' else '' end) as line
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where ${OWN} and ${WHOLE} and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped`),
    'PostgreSQL: constraints': await record(`select format('%s %s', c.relname, k.conname) as line
      from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      where ${OWN} and ${WHOLE} and k.contype in ('c', 'f', 'p', 'u', 'x')`),
    'PostgreSQL: functions':
      await record(`select format('%s(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) as line
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where ${OWN} and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`),
    'PostgreSQL: triggers': await record(`select format('%s.%s %s', c.relname, t.tgname, p.proname) as line
      from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
        join pg_namespace n on n.oid = c.relnamespace where ${OWN} and not t.tgisinternal`),
    'PostgreSQL: settings': await record(IN_FUNCTIONS('(tributary\\.[a-z_]+)')),
    'PostgreSQL: channels of triggers': await record(IN_FUNCTIONS("pg_notify\\(\\s*''([a-z_]+)''")),
    queues: await record('select name as line from jobs.queue'),
  }
}

async function namesOfAnalytics(): Promise<Record<string, string[]>> {
  return {
    'ClickHouse: tables': await analytics(
      `select concat(name, ' ', engine_full) as line from system.tables where database = currentDatabase()`,
    ),
    'ClickHouse: columns': await analytics(
      `select concat(table, '.', name, ' ', type) as line from system.columns where database = currentDatabase()`,
    ),
  }
}

const migrations = (folder: string): string[] =>
  readMigrations(folder).map(({ name, checksum }) => `${name} ${checksum}`)

function namesOfContract(): Record<string, readonly string[]> {
  return {
    permissions: PERMISSIONS,
    'live: channels': [LIVE_CHANNEL],
    'live: topics': LIVE_TOPIC_NAMES,
    'causes in the logs': pathsOf(causesEn).map((path) => path.replace(/^(acts|patterns|texts)\./, '$1: ')),
    'causes of changes of reports': CHANGE_CAUSES,
    'error codes': Object.entries(ERRORS).map(([code, status]) => `${code} ${status}`),
    'messages and codes of reasons': Object.keys(en).sort(),
    'report: dimensions': Object.keys(DIMENSIONS),
    'report: metrics': Object.keys(METRICS),
    'report: components of metrics': Object.keys(METRIC_PARTS),
    'report: filters': Object.keys(REPORT_FILTERS),
    'report: levels': [...LEVEL_FIELDS, ...LEVELS],
    'report: activities, baselines, presets': [...ACTIVITIES, ...BASELINES, ...PRESETS],
    'report: cohorts': [...Object.keys(COHORT_REPORTS), ...COHORT_BASES, ...COHORT_METRICS],
    'report: general': Object.keys(GENERAL_REPORTS),
    'report: screens': Object.entries(REPORT_SCREENS).map(([report, path]) => `${report} ${path}`),
    'report: own columns': [FORMULA_PREFIX],
  }
}

const write = (sections: Record<string, readonly string[]>): string =>
  Object.entries(sections)
    .map(([title, lines]) => `# ${title}\n${lines.join('\n')}\n`)
    .join('\n')

test('names that are stored or agreed on do not change [SYS-03] [API-01]', async () => {
  const metrics = server.services.metrics.getMetricsAsArray()
  const names = {
    ...(await namesOfRecord()),
    ...(await namesOfAnalytics()),
    ...namesOfContract(),
    // Metrics of the process depend on the operating system.
    metrics: metrics
      .map(({ name }) => name)
      .filter((name) => !/^tributary_(process|nodejs)_/.test(name))
      .sort(),
    'migrations of PostgreSQL': migrations(POSTGRES_MIGRATIONS),
    'migrations of ClickHouse': migrations(CLICKHOUSE_MIGRATIONS),
  }
  for (const [title, lines] of Object.entries(names)) expect(lines.length, title).toBeGreaterThan(0)
  await expect(write(names)).toMatchFileSnapshot('golden/stored-names.txt')
})

test('the rows of freshness keep their names [SYS-03]', async () => {
  const { pool } = server.services.postgres
  const names = () => record('select name as line from facts_progress')
  await expect.poll(names, { timeout: 20_000 }).toEqual(['clicks', 'record', 'setting'])
  const now = Date.now()
  const { rows } = await pool.query<{ id: number }>(
    'insert into click_writer (started_at) values (now()), (now()) returning id',
  )
  const spans = rows.map(({ id }) => ({ writer: id, first: lowestId(now), last: lowestId(now + 1000) }))
  expect(await createWriterWatch(pool).mayOverlap(spans, now)).toBe(true)
  expect(await names()).toEqual(['clicks', 'record', 'setting', 'several trackers'])
  await pool.query(`update facts_progress set at = '2030-01-01Z' where name in ('clicks', 'record')`)
  const { clicks, record: changes } = await readWatermark(server.services.postgres)
  expect([clicks, changes]).toEqual([new Date('2030-01-01Z'), new Date('2030-01-01Z')])
})

interface Operation {
  readonly operationId?: string
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: unknown }[]
  readonly requestBody?: unknown
  readonly responses?: unknown
}

/** Sorts keys and omits descriptions: the rest binds clients. */
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => {
    if (key === 'description' && typeof inner === 'string') return undefined
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  })
const short = (value: unknown): string => (value === undefined ? '-' : hash('sha256', inOrder(value)).slice(0, 12))

/** Names of a schema's members, to explain a changed hash of the schema. */
function membersOf(schema: unknown): string {
  const own = Object.entries((schema as { properties?: Record<string, unknown> } | undefined)?.properties ?? {})
  return own.map(([name, inner]) => `${name}${membersOf(inner) === '' ? '' : `{${membersOf(inner)}}`}`).join(' ')
}

const bodyOf = (of: unknown): unknown =>
  Object.values((of as { content?: Record<string, { schema?: unknown }> } | undefined)?.content ?? {})[0]?.schema

function describeOperation(
  method: string,
  path: string,
  { operationId, parameters, requestBody, responses }: Operation,
) {
  const params = (parameters ?? []).map((one) => `${one.in}.${one.name}`).sort()
  const answers = Object.entries((responses ?? {}) as Record<string, unknown>).map(
    ([status, answer]) => `  ${status} ${short(answer)} ${membersOf(bodyOf(answer))}`,
  )
  return [
    `${method.toUpperCase()} ${path} ${operationId ?? '-'}`,
    ...(params.length === 0 ? [] : [`  params ${short(parameters)} ${params.join(' ')}`]),
    ...(requestBody === undefined ? [] : [`  body ${short(requestBody)} ${membersOf(bodyOf(requestBody))}`]),
    ...answers,
  ].map((line) => line.trimEnd())
}

test("the API's document does not change [API-01]", async () => {
  const document = (await (await send(server.url, 'GET', 'docs/json')).json()) as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas?: object }
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describeOperation(method, path, operation).join('\n')),
  )
  const { paths, ...rest } = document
  expect(Object.keys(paths).length).toBeGreaterThan(100)
  await expect(`${inOrder(rest)}\n${operations.sort().join('\n')}\n`).toMatchFileSnapshot('golden/openapi.txt')
})
