// Days at the ends of the calendar, which in the business zone reach years that no engine can store. Every list and report answers or
// rejects them by name.
import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import { operatorsOf } from '@tributary/contract/filter'
import { TRAFFIC_REPORTS } from '@tributary/contract/reports/registry'
import { beforeAll, expect, test } from 'vitest'
import { fieldsOf } from '../../src/entities/engine/model/model.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json } from '../support/entity-calls.ts'
import { entityOf } from '../support/entity-rows.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { makeTwoSides, type Side } from '../support/two-sides.ts'

let server: Server
let admin: SignedIn
let own: Side

/** In year 1 the first zone is ahead of UTC and the second behind it. */
const ZONES = ['Europe/Kyiv', 'Etc/GMT+12']

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  ;({ own } = await makeTwoSides(server, admin))
})

async function inZone(zone: string): Promise<void> {
  await server.services.postgres.pool.query('update setting set business_time_zone = $1', [zone])
}

const isListed = (name: string): boolean => {
  const { view } = entityOf(name).access
  return view === 'everyone' || view.roles?.includes('ADMIN') === true
}
interface DayFilter {
  readonly path: string
  readonly kind: 'date' | 'datetime'
  readonly operators: readonly string[]
}
/** Every list with all its fields that are days or moments. */
const LISTS = ENTITY_NAMES.filter(isListed).map((name) => ({
  name,
  filters: [...fieldsOf(entityOf(name))].flatMap(([path, field]): DayFilter[] =>
    (field.kind === 'date' || field.kind === 'datetime') && field.unfiltered !== true
      ? [{ path, kind: field.kind, operators: operatorsOf(field) }]
      : [],
  ),
}))

/** Lists of both engines with days, moments and paths to other rows: the other zone needs no more. */
const isOfEngine = ({ name }: { name: string }): boolean =>
  entityOf(name).source === 'clickhouse' || ['audit_log', 'offer_partner', 'player', 'partner_spend'].includes(name)

const MOMENTS = ['0001-01-01T00:00', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-12:00']

/** One request with every operator of the fields. */
function askAll(filters: readonly DayFilter[], day: string): string {
  const query = new URLSearchParams({ limit: '10' })
  for (const { path, kind, operators } of filters) {
    const values = kind === 'date' ? [day] : [day, ...MOMENTS]
    for (const operator of operators.filter((one) => one !== 'like')) {
      if (operator === 'eq') query.append(`filter[${path}]`, day)
      else if (operator === 'gt') query.append(`filter[${path}][gt]`, day)
      else query.append(`filter[${path}][${operator}]`, operator === 'bwn' ? `${day}|${day}` : values.join('|'))
    }
  }
  return query.toString()
}

test.each(ZONES)(
  'in %s every list answers filters by days of the years 1 to 9999, and refuses others [API-04]',
  async (zone) => {
    await inZone(zone)
    const odd: unknown[] = []
    const expectStatus = async (status: number, query: string): Promise<void> => {
      const answer = await ask(admin, 'GET', query)
      if (answer.status !== status) odd.push([query, answer])
    }
    for (const { name, filters } of zone === ZONES[0] ? LISTS : LISTS.filter(isOfEngine)) {
      // ClickHouse stores moments of 1900 to 2299.
      const days = entityOf(name).source === 'clickhouse' ? ['1899-12-31', '2300-01-01'] : []
      for (const day of ['0001-01-01', '9999-12-31', ...days])
        await expectStatus(200, `${name}?${askAll(filters, day)}`)
      // A list reports only the first error, so one field of each kind is tested; all fields of a kind share the parser.
      for (const { path, kind } of filters.filter(
        (one, at) => filters.findIndex(({ kind }) => kind === one.kind) === at,
      ))
        for (const day of ['0000-12-31', '10000-01-01', ...(kind === 'date' ? [] : ['0000-12-31T23:00:00Z'])])
          await expectStatus(422, `${name}?filter[${path}]=${day}`)
    }
    expect(odd).toEqual([])
  },
)

test.each(ZONES)('in %s a list has no rows at the ends of the calendar [API-04]', async (zone) => {
  await inZone(zone)
  // The log of offers alone: jobs write changes of other rows meanwhile.
  for (const name of ['offer?', 'offer_partner?', 'audit_log?filter[entity]=offer&']) {
    const total = async (filter: string) =>
      ((await done(admin, 'GET', `${name}limit=10&filter[created_at]${filter}`)).pagination as Json).total
    const all = await total('[gt]=2000-01-01')
    expect(all).toBeGreaterThan(0)
    const whole = ['[bwn]=0001-01-01|9999-12-31', '[bwn]=0001-01-01|', '[bwn]=|9999-12-31', '[gt]=0001-01-01']
    for (const filter of whole) expect([name, filter, await total(filter)]).toEqual([name, filter, all])
    const none = ['[gt]=9999-12-31', '[bwn]=0001-01-01|0001-01-01', '[bwn]=9999-12-31|9999-12-31', '=0001-01-01']
    for (const filter of none) expect([name, filter, await total(filter)]).toEqual([name, filter, 0])
  }
})

test('a player registered in year 1 is read like any other [API-05]', async () => {
  const path = `player/${own.rows.player}`
  await done(admin, 'PATCH', path, { registered_at: '0001-01-01T00:00:00+14:00' })
  expect((await ask(admin, 'GET', path)).status).toBe(200)
  expect((await ask(admin, 'GET', 'player?filter[registered_at][bwn]=0001-01-01|0001-01-01')).status).toBe(200)
  for (const format of ['csv', 'xlsx']) {
    const answer = await admin.call('GET', `player/export?format=${format}`)
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(0)
    expect(answer.status).toBe(200)
  }
})

test('every report answers days of any year, or rejects them by name [REP-01]', async () => {
  await inZone('Europe/Kyiv')
  const odd: unknown[] = []
  for (const { path } of TRAFFIC_REPORTS) {
    for (const day of ['0001-01-01', '9999-12-31']) {
      const filters = [
        { dateFrom: day, dateTo: day },
        { dateFrom: '2026-01-01', dateTo: '2026-01-31', secondDateTo: day },
        { firstDeposit: `0001-01-01|${day}` },
        { knownAt: `${day}T00:00:00Z` },
        { from: day, to: day },
      ]
      for (const filter of filters) {
        const { status, body } = await ask(admin, 'POST', path, { filter })
        if (status !== 200 && !(status === 422 && body.formErrors !== undefined)) odd.push([path, filter, status, body])
      }
    }
  }
  expect(odd).toEqual([])
})
