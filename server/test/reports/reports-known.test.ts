// Reports as they were known: each state that was once on the screen comes back to the cent, also after a rebuild; what moved between two
// states is told with its cause and person.
import type { ReportChangesAnswer } from '@tributary/contract/reports/changes'
import { type GeneralReportInput, generalReportRequest, type ReportRow } from '@tributary/contract/reports/general'
import { beforeAll, expect, test } from 'vitest'
import { createOutboxProjector } from '../../src/facts/outbox-projector.ts'
import { createProjection } from '../../src/facts/projection.ts'
import { rebuild } from '../../src/facts/rebuild.ts'
import type { Viewer } from '../../src/reports/engine/query.ts'
import { answerGeneralReportChanges, nameCause } from '../../src/reports/kinds/changes.ts'
import { answerGeneralReportRows } from '../../src/reports/kinds/drill-down.ts'
import { answerGeneralReport } from '../../src/reports/kinds/general.ts'
import { addEvent, addPlayer, addReport, type FactsRecord, sqlOf, writeFactsRecord } from '../support/facts-record.ts'
import { startTestServices, type TestServices } from '../support/harness.ts'
import { inboxClick } from '../support/inbox-click.ts'
import { loadClicks } from '../support/load-clicks.ts'

const ADMIN: Viewer = { role: 'ADMIN', partners: null, language: 'en' }
const QUESTIONS: readonly GeneralReportInput['filter'][] = [
  { groupBy: 'offer', secondGroupBy: 'day' },
  { groupBy: 'month', secondGroupBy: 'partner', thirdGroupBy: 'site_id', fourthGroupBy: 'player_outer_id' },
  { groupBy: 'stream', secondGroupBy: 'off', activity: 'ftd', baseLine: 'qualified' },
  { groupBy: 'week', secondGroupBy: 'off', secondDateTo: '2026-04-30', partners: [1], activity: 'deposits' },
]
/** With today, on which clicks are made. */
const DAYS = { dateFrom: '2026-03-01', dateTo: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) }

let services: TestServices
let record: FactsRecord
let sql: ReturnType<typeof sqlOf>
let actor: number

interface State {
  readonly moment: string
  readonly answers: readonly string[]
}
const states: State[] = []
const players: number[] = []

beforeAll(async () => {
  services = await startTestServices()
  sql = sqlOf(services.postgres)
  record = await writeFactsRecord(services.postgres)
  const [role] = await sql(`select id from user_role where kind = 'ADMIN' limit 1`)
  const [person] = await sql(
    `insert into "user" (full_name, email, password_hash, role_id) values ('Olena Koval', 'olena@known.test', '', $1) returning id`,
    [role?.id],
  )
  actor = person?.id ?? 0
})

const ask = (filter: GeneralReportInput['filter'], knownAt?: string, viewer = ADMIN) =>
  answerGeneralReport(
    generalReportRequest.parse({
      filter: { ...DAYS, ...filter, ...(knownAt !== undefined && { knownAt }) },
      pagination: { limit: -1 },
    }),
    viewer,
    services,
  )

const tell = async (filter: GeneralReportInput['filter'], knownAt?: string): Promise<string> => {
  const { rows, total, player_count, items, not_used_spend } = await ask(filter, knownAt)
  return JSON.stringify({ rows, total, player_count, items, not_used_spend })
}

/** Work on the record in one transaction, by a person; then everything is in the facts and the state is noted. */
async function step(cause: string, work: readonly (readonly [string, readonly unknown[]])[], by = 0): Promise<void> {
  await services.postgres.withClient(async (client) => {
    await client.query('begin')
    if (cause !== '') await client.query(`select set_config('tributary.cause', $1, true)`, [cause])
    if (by !== 0) await client.query(`select set_config('tributary.actor', $1, true)`, [String(by)])
    for (const [text, values] of work) await client.query(text, [...values])
    await client.query('commit')
  })
  await settle()
}

async function settle(): Promise<void> {
  const { postgres, clickhouse } = services
  const projector = createOutboxProjector(postgres, clickhouse, createProjection(postgres, clickhouse, {}))
  while ((await projector.projectOnce()).hasMore);
  await new Promise((resolve) => setTimeout(resolve, 5))
  const answers: string[] = []
  for (const filter of QUESTIONS) answers.push(await tell(filter))
  states.push({ moment: new Date().toISOString(), answers })
  await new Promise((resolve) => setTimeout(resolve, 5))
}

const DEPOSIT = `insert into player_event (player_id, type, happened_at, amount, currency_id, identity) values ($1, 'dep', $2, $3, $4, $5)`

/** Made now: known from now on. */
const newClick = () =>
  inboxClick({
    id: '019d3000-0000-7000-8000-000000000001',
    created_at: Date.now(),
    offer_partner_id: record.links[0],
    offer_id: record.offers[0],
    partner_id: record.partners[0],
    advertiser_id: record.advertiser,
    stream_id: record.streams[0],
    traffic_source_id: 1,
    country_id: record.countries[0],
    site_id: 'site0',
  })

async function live(): Promise<void> {
  const { postgres } = services
  await settle()
  for (let index = 0; index < 8; index++) {
    const link = record.links[index % 4] ?? 0
    const player = await addPlayer(postgres, link, `2026-03-0${1 + index}T10:00:00Z`)
    players.push(player)
    await addEvent(postgres, player, 'dep', `2026-03-1${index}T22:30:00Z`, 60 + index, record.eur)
    if (index % 2)
      await addReport(postgres, player, '2026-03-20', record.usd, {
        deposits: 9,
        deposits_count: 2,
        bets: 4,
        income: 31,
      })
  }
  await sql(
    `insert into partner_spend (stream_id, country_id, date, sum, currency_id) values ($1, $2, '2026-03-12', 100, $3), ($1, $2, '2026-04-20', 8, $3)`,
    [record.streams[1], record.countries[0], record.eur],
  )
  await settle()
  await step('postback', [[DEPOSIT, [players[0], '2026-03-15T08:00:00Z', 12.5, record.usd, 'late']]])
  await step('', [
    ['update player_report set income = 77, bets = 11 where player_id = $1', [players[1]]],
    [
      `insert into player_report (player_id, report_date, currency_id, income) values ($1, '2026-03-25', $2, 5)`,
      [players[2], record.eur],
    ],
  ])
  await step(
    'update offer_partner',
    [
      [
        `insert into offer_partner_cost_history (offer_partner_id, date_from, date_to, value) values ($1, '2026-03-01', '2026-03-31', 90)`,
        [record.links[0]],
      ],
    ],
    actor,
  )
  await step(
    'update player',
    [[`update player set payment_resolution = 'not_approved' where id = $1`, [players[4]]]],
    actor,
  )
  await step('update partner_spend', [['update partner_spend set sum = 140 where sum = 100', []]], actor)
  await step('update partner_spend', [[`update partner_spend set date = '2026-03-14' where sum = 140`, []]], actor)
  await step('update player', [
    [
      `update player set offer_partner_id = $2, offer_id = $3, partner_id = $4, stream_id = $5, site_id = 'site1' where id = $1`,
      [players[0], record.links[1], record.offers[1], record.partners[1], record.streams[1]],
    ],
  ])
  await loadClicks(services, [newClick()], 'Europe/Kyiv')
  await settle()
  await step('delete player', [
    ['delete from player_report where player_id = $1', [players[7]]],
    ['delete from player where id = $1', [players[7]]],
  ])
  await step('delete partner_spend', [['delete from partner_spend where sum = 8', []]])
}

test('every earlier state of a report can be requested, before and after a rebuild [REP-16] [REP-15] [SYS-06]', async () => {
  await live()
  expect(new Set(states.map(({ answers }) => answers.join())).size).toBeGreaterThan(8)
  // Half of the questions about each state, each of them about every other state.
  const check = async (questions: typeof QUESTIONS) => {
    for (const [at, { moment, answers }] of states.entries())
      for (const [index, filter] of questions.entries())
        if (questions.length === 1 || (at + index) % 2 === 0)
          expect([at, index, await tell(filter, moment)]).toEqual([at, index, answers[index]])
  }
  await check(QUESTIONS)
  const { postgres, clickhouse } = services
  await rebuild({
    postgres,
    clickhouse,
    projection: createProjection(postgres, clickhouse, {}),
    requests: [],
    between: async () => false,
    withoutClicks: (work) => work(),
  })
  await check(QUESTIONS.slice(0, 1))
}, 120_000)

const changes = (at: number, filter: GeneralReportInput['filter'], viewer = ADMIN): Promise<ReportChangesAnswer> =>
  answerGeneralReportChanges(
    { filter: generalReportRequest.parse({ filter: { ...DAYS, ...filter } }).filter, since: states[at]?.moment ?? '' },
    viewer,
    services,
  )

test('what changed since a moment names exactly the numbers that differ [REP-16]', async () => {
  const flatten = (rows: readonly ReportRow[], path: readonly unknown[] = []): [string, ReportRow['m']][] =>
    rows.flatMap((row) => {
      const group = row.g ?? row.sg ?? row.tg ?? row.fg
      const own = [...path, group?.id ?? row.s?.id]
      return [[JSON.stringify(own), row.m] as [string, ReportRow['m']], ...flatten(row.children ?? [], own)]
    })
  const numbers = (text: string): Map<string, unknown> => {
    const { rows, total } = JSON.parse(text) as { rows: ReportRow[]; total: ReportRow['m'] }
    const all = [['[]', total] as const, ...flatten(rows)]
    return new Map(
      all.flatMap(([path, m]) =>
        Object.entries(m)
          .filter(([, value]) => typeof value === 'number' && value !== 0)
          .map(([key, value]) => [`${path} ${key}`, value] as const),
      ),
    )
  }
  const last = states.at(-1)?.answers ?? []
  for (const question of [0, 1])
    for (const at of [1, 6]) {
      const [then, now] = [numbers(states[at]?.answers[question] ?? ''), numbers(last[question] ?? '')]
      const differing = [...new Set([...then.keys(), ...now.keys()])].filter((key) => then.get(key) !== now.get(key))
      const told = (await changes(at, QUESTIONS[question])).changes.flatMap(({ path, s, cells }) =>
        cells.map(({ metric, before, now: current }) => {
          const key = `${JSON.stringify(s === undefined ? path.map(({ id }) => id) : [...path.map(({ id }) => id), s.id])} ${metric}`
          const same = (known: unknown, value: number | null) => (known ?? 0) === (value ?? 0)
          return same(then.get(key), before) && same(now.get(key), current) ? key : `${key} ${before} ${current}`
        }),
      )
      expect([question, at, told.toSorted()]).toEqual([question, at, differing.toSorted()])
    }
})

test('each change names why and by whom [REP-16]', async () => {
  const why = async (at: number) => {
    const told = await changes(at, QUESTIONS[0])
    const causes = told.changes.flatMap((change) => change.causes)
    return new Set(causes.map(({ cause, actor: by }) => `${cause} ${by?.title ?? '-'}`))
  }
  expect(await why(states.length - 2)).toEqual(new Set(['spend -']))
  expect(await why(states.length - 4)).toContain('click -')
  const all = await why(1)
  for (const expected of [
    'late_postback -',
    'report -',
    'history Olena Koval',
    'approval Olena Koval',
    'spend Olena Koval',
    'player -',
  ])
    expect([...all]).toContain(expected)
})

test('a partner sees changes of their own rows, without income, ROI and names of users [PERM-07] [REP-16]', async () => {
  const partner: Viewer = { role: 'PARTNER', partners: [record.partners[1]], language: 'en' }
  const told = await changes(1, { groupBy: 'partner', secondGroupBy: 'off' }, partner)
  expect(told.changes.length).toBeGreaterThan(1)
  for (const { path, cells, causes } of told.changes) {
    expect(path.every(({ id }) => id === record.partners[1])).toBe(true)
    expect(cells.every(({ metric }) => !/^(income|profit|roi)/.test(metric))).toBe(true)
    expect(causes.every(({ actor: by }) => by === null)).toBe(true)
  }
  const known = await ask({ groupBy: 'partner', secondGroupBy: 'off' }, states[2]?.moment, partner)
  expect(known.rows.every((row) => row.g?.id === record.partners[1] || row.s !== undefined)).toBe(true)
  expect(known.total).not.toHaveProperty('income')
})

test('drill-down shows the rows of that moment; before the start of the log it reports that [REP-13] [REP-16]', async () => {
  const { moment = '' } = states[2] ?? {}
  const then = await ask(QUESTIONS[0], moment)
  const row = then.rows.find(({ m }) => (m.deposits_amount ?? 0) > 0)
  const filter = { ...DAYS, ...QUESTIONS[0], knownAt: moment }
  const opened = await answerGeneralReportRows(
    {
      ...generalReportRequest.parse({ filter, pagination: { limit: -1 } }),
      cell: { path: [row?.g?.id ?? 0], metric: 'deposits_amount' },
    },
    ADMIN,
    services,
  )
  expect(opened.total).toBe(row?.m.deposits_amount)
  expect(then.known_at).toBe(moment)
  expect((await ask(QUESTIONS[0], '2020-01-01T00:00:00Z')).warnings).toEqual(['known_late'])
  const future = await ask(QUESTIONS[0], '2099-01-01T00:00:00+02:00')
  expect(future.known_at).toBeNull()
})

test('a spend that moved into the filter is listed, whichever filter found it [REP-16]', async () => {
  const columns = ['spend_id', 'version', 'day', 'offer_id', 'partner_id', 'media_id', 'sum']
  const version = (number: number, media: string) => [9_000_001, number, '2019-05-05', 1, 1, media, '7']
  const told = (at: string, cause: string) => [at, cause, 0, '']
  const { clickhouse } = services
  await clickhouse.insert('spend_fact', columns, [version(2, 'after')])
  await clickhouse.insert(
    'spend_fact_log',
    [...columns, 'known_at', 'cause', 'actor_id', 'request_id'],
    [
      [...version(1, 'before'), ...told('2026-01-01 00:00:00', 'insert partner_spend')],
      [...version(2, 'after'), ...told('2026-02-01 00:00:00', 'rebuild')],
    ],
  )
  const filter = { dateFrom: '2019-05-01', dateTo: '2019-05-31', secondGroupBy: 'off', mediaId: ['after'] } as const
  const request = { filter: generalReportRequest.parse({ filter }).filter, since: '2026-01-15T00:00:00Z' }
  const [total] = (await answerGeneralReportChanges(request, ADMIN, services)).changes
  expect(total).toMatchObject({ path: [], causes: [{ cause: 'rebuild' }] })
  expect(total?.cells).toContainEqual({ metric: 's', before: 0, now: 7 })
})

test.each([
  ['postback', true, 'late_postback'],
  ['postback', false, 'postback'],
  ['insert player_event', false, 'postback'],
  ['import players', true, 'report'],
  ['update partner_spend', false, 'spend'],
  ['insert currency_rate', false, 'rate'],
  ['update offer', false, 'terms'],
  ['demo', false, 'other'],
  ['payment resolution: a late report', false, 'approval'],
  ['update player: the postback was wrong', true, 'player'],
])('%s (late: %s) is told as %s [REP-16]', (text, isLate, cause) => {
  expect(nameCause(text, isLate)).toBe(cause)
})
