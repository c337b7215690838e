// Imports of player reports: rows from files, all or nothing, once or repeated.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { importReport } from '../../src/integrations/player-report/import-report.ts'
import { logPath, sourcePath } from '../../src/integrations/player-report/report-files.ts'
import { addEvent, addPlayer, type FactsRecord, sqlOf, writeFactsRecord } from '../support/facts-record.ts'
import { startTestServices, type TestServices } from '../support/harness.ts'
import { INSERT_INBOX } from '../support/inbox-rows.ts'

let services: TestServices
let record: FactsRecord

beforeAll(async () => {
  services = await startTestServices()
  record = await writeFactsRecord(services.postgres)
})

interface ReportState {
  id: number
  status: string
  error: string | null
  rows: number | null
  warnings: number | null
  players_added: number | null
  entries_added: number | null
  entries_changed: number | null
}

async function bring(content: string | Buffer, more: Record<string, unknown> = {}): Promise<ReportState> {
  const sql = sqlOf(services.postgres)
  const values = { type: 'file', file_name: 'report.csv', ...more }
  const names = Object.keys(values)
  const [row] = await sql(
    `insert into report (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
    Object.values(values),
  )
  const id = row?.id ?? 0
  const path = sourcePath(services.config, id)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  expect(await importReport(services, id, new AbortController().signal)).toBe(true)
  const [state] = await sql<ReportState>('select * from report where id = $1', [id])
  if (state === undefined) throw new Error('the report is gone')
  return state
}

const csv = (...lines: string[]): string => lines.join('\n')
const logOf = ({ id }: { id: number }): string => readFileSync(logPath(services.config, id), 'utf8')

test('a report creates players and entries; the same file again changes nothing [PLY-02] [PLY-09]', async () => {
  const sql = sqlOf(services.postgres)
  const file = csv(
    'Player ID;Report date;Registration date;Site ID;Promocode;Country;Deposits;All deps;Bets;Income;Currency',
    'p-1;2026-03-10;2026-03-09 23:30:00;site0;;Ukraine;100,50;2;10;20.25;USD',
    'p-2;11.03.2026;2026-03-11;nowhere;;PL;0;0;5;-3;EUR',
  )
  const first = await bring(file, { advertiser_id: record.advertiser })
  expect(first).toMatchObject({ status: 'success', rows: 2, players_added: 2, entries_added: 2, entries_changed: 0 })
  const players = await sql(
    'select outer_id, registered_at, offer_partner_id, partner_id, attribution, actual_country_id, site_id, first_deposit_at, first_deposit_amount from player order by outer_id',
  )
  expect(players).toMatchObject([
    {
      outer_id: 'p-1',
      // 23:30 on the advertisers' servers, UTC+6.
      registered_at: new Date('2026-03-09T17:30:00Z'),
      offer_partner_id: record.links[0],
      partner_id: record.partners[0],
      attribution: 'site_id',
      actual_country_id: record.countries[0],
    },
    {
      outer_id: 'p-2',
      registered_at: new Date('2026-03-10T22:00:00Z'),
      offer_partner_id: null,
      attribution: 'none',
      actual_country_id: record.countries[1],
      site_id: 'nowhere',
      first_deposit_at: null,
    },
  ])
  const entries = await sql(
    'select report_date, deposits, deposits_count, bets, income, currency_id, report_id from player_report order by report_date',
  )
  expect(entries).toMatchObject([
    {
      report_date: '2026-03-10',
      deposits: '100.5000',
      deposits_count: 2,
      bets: '10.0000',
      income: '20.2500',
      currency_id: record.usd,
      report_id: first.id,
    },
    { report_date: '2026-03-11', deposits: '0.0000', income: '-3.0000', currency_id: record.eur },
  ])
  // Each row is written once, also with a first deposit: a hundred thousand must not be written twice.
  expect(await sql('select distinct version from player')).toEqual([{ version: 1 }])
  const before = await sql(
    'select (select jsonb_agg(p order by id) from player p) as players, (select jsonb_agg(r order by id) from player_report r) as entries, (select count(*) from outbox) as outbox',
  )
  const again = await bring(file, { advertiser_id: record.advertiser })
  expect(again).toMatchObject({ status: 'success', rows: 2, players_added: 0, entries_added: 0, entries_changed: 0 })
  expect(
    await sql(
      'select (select jsonb_agg(p order by id) from player p) as players, (select jsonb_agg(r order by id) from player_report r) as entries, (select count(*) from outbox) as outbox',
    ),
  ).toEqual(before)
})

test('one wrong line rejects the whole report, and the log names it [PLY-06] [PLY-09]', async () => {
  const sql = sqlOf(services.postgres)
  const [before] = await sql<{ n: number }>('select count(*) as n from player')
  const state = await bring(
    csv(
      'player_id,date,deposits,currency',
      'w-1,2026-03-10,5,EUR',
      'w-2,2026-03-10,"1,234",EUR',
      'w-3,2026-02-30,1,EUR',
      'w-4,2026-03-10,=1+1|calc,EUR',
    ),
    { advertiser_id: record.advertiser },
  )
  expect(state).toMatchObject({ status: 'failed', warnings: 3 })
  expect(logOf(state)).toContain('"3","deposits","Not a figure, or one that can be read in two ways","1,234"')
  expect(logOf(state)).toContain('"4","report_date"')
  // Logs are opened in spreadsheets, too.
  expect(logOf(state)).toContain(`"5","deposits","Not a figure, or one that can be read in two ways","'=1+1|calc"`)
  const [after] = await sql<{ n: number }>('select count(*) as n from player')
  expect(after).toEqual(before)
})

test.each([
  ['no period', 'player_id,deposits\nx,1', 'report.csv', 'The period is missing'],
  ['no heading', 'a,b\nc,d', 'report.csv', 'Wrong format'],
  [
    'an unknown currency',
    'player_id,date,deposits,currency\nx,2026-03-01,1,QQQ',
    'report.csv',
    'This currency is not in the directory',
  ],
  ['no advertiser', 'player_id,date,deposits\nx,2026-03-01,1', 'report.csv', 'It is unclear'],
  ['days that have not come', 'player_id,date,deposits\nx,2199-03-01,1', 'report.csv', 'This date is in the future'],
  [
    'players who register later',
    'player_id,date,reg_date\nx,2026-03-01,2199-03-01',
    'report.csv',
    'This date is in the future',
  ],
  ['nobody', 'player_id,date,deposits\n,2026-03-01,1', 'report.csv', 'There is no player'],
])('a report with %s is refused in words [PLY-06]', async (_name, content, file, error) => {
  const state = await bring(content, { file_name: file })
  expect(state.status).toBe('failed')
  expect(state.error).toContain(error)
})

test('the day of a report may be above its header or in its name [PLY-06]', async () => {
  const sql = sqlOf(services.postgres)
  const dayOf = async (player: string): Promise<string | undefined> =>
    (
      await sql<{ report_date: string }>(
        'select report_date from player_report r join player p on p.id = r.player_id where p.outer_id = $1',
        [player],
      )
    )[0]?.report_date
  await bring('Отчёт\nПериод;05.02.2026\nИгрок;Депозиты\nn-1;5', { advertiser_id: record.advertiser })
  expect(await dayOf('n-1')).toBe('2026-02-05')
  await bring('player,deposits\nn-2,5', { advertiser_id: record.advertiser, file_name: 'players_2026-02-06.csv' })
  expect(await dayOf('n-2')).toBe('2026-02-06')
  const two = await bring('Period: 2026-02-01 - 2026-02-03\nplayer,deposits\nn-3,5', {
    advertiser_id: record.advertiser,
  })
  expect(two).toMatchObject({ status: 'failed' })
})

test('a player whom a postback creates during an import counts as known and gets its entries [PLY-02] [PLY-09]', async () => {
  const sql = sqlOf(services.postgres)
  const waits = "select from pg_locks where not granted and locktype = 'transactionid'"
  await services.postgres.withClient(async (client) => {
    await client.query('begin')
    const made = await client.query<{ id: number }>(
      "insert into player (advertiser_id, outer_id, registered_at) values ($1, 'race-1', '2026-03-01T10:00:00Z') returning id",
      [record.advertiser],
    )
    const file = csv(
      'player_id,date,deposits,deposits_count,currency',
      'race-1,2026-03-10,5,1,EUR',
      'race-2,2026-03-10,7,1,EUR',
    )
    const importing = bring(file, { advertiser_id: record.advertiser })
    while ((await sql(waits)).length === 0) await sleep(10)
    await client.query('commit')
    expect(await importing).toMatchObject({ status: 'success', players_added: 1, entries_added: 2 })
    expect(
      await sql(
        `select p.id = $1 as known, r.deposits::int, p.first_deposit_amount::int as first from player p join player_report r on r.player_id = p.id
          where p.outer_id like 'race-%' order by p.outer_id`,
        [made.rows[0]?.id],
      ),
    ).toEqual([
      { known: true, deposits: 5, first: 5 },
      { known: false, deposits: 7, first: 7 },
    ])
  })
})

test('registration dates of known players change only on request [PLY-06]', async () => {
  const sql = sqlOf(services.postgres)
  const registered = async (): Promise<string | undefined> =>
    (
      await sql<{ registered_at: Date }>("select registered_at from player where outer_id = 'reg-1'")
    )[0]?.registered_at.toISOString()
  await addPlayer(services.postgres, record.links[0], '2026-03-01T10:00:00Z', { outer_id: 'reg-1' })
  const file = 'player_id,date,registration,deposits\nreg-1,2026-03-10,2026-03-02 12:00:00,7'
  await bring(file, { advertiser_id: record.advertiser })
  expect(await registered()).toBe('2026-03-01T10:00:00.000Z')
  await bring(file, { advertiser_id: record.advertiser, update_registrations: true })
  expect(await registered()).toBe('2026-03-02T06:00:00.000Z')
})

test('empty and unknown click ids cause a warning per line, and the report counts [PLY-06]', async () => {
  const state = await bring(
    csv(
      'player_id,date,click_id,deposits',
      'c-1,2026-03-10,,5',
      'c-2,2026-03-10,0190a7c0-0000-7000-8000-000000000001,5',
      'c-2,2026-03-10,0190a7c0-0000-7000-8000-000000000001,5',
    ),
    { advertiser_id: record.advertiser, language: 'ru' },
  )
  expect(state).toMatchObject({ status: 'warnings', warnings: 3, players_added: 2, entries_added: 2 })
  expect(logOf(state).split('\r\n').slice(1, 4)).toEqual([
    '"2","click_id","ID клика пуст",""',
    '"3","outer_id","Тот же игрок и день ещё раз: строки объединены по полям","c-2"',
    '"4","click_id","Такого ID клика нет в базе","0190a7c0-0000-7000-8000-000000000001"',
  ])
})

test('a known click assigns its partner offer, whether it is in the inbox or loaded [PLY-02] [PLY-06]', async () => {
  const sql = sqlOf(services.postgres)
  const [inbox, loaded] = ['0190a7c0-0000-7000-8000-0000000000aa', '0190a7c1-0000-7000-8000-0000000000bb']
  const time = (id: string) => new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
  const [own] = await sql<Record<string, unknown>>(
    'select offer_id, partner_id, stream_id, traffic_source_id, site_id from offer_partner where id = $1',
    [record.links[1]],
  )
  const click = {
    ...own,
    id: inbox,
    writer: 1,
    created_at: time(inbox),
    offer_partner_id: record.links[1],
    advertiser_id: record.advertiser,
    country_id: 1,
    bot: false,
    ip: '1.1.1.1',
    url: '/',
    target: '/',
    sub_id: 'sub-x',
    promocode: 'CODE',
  }
  // Clicks outlive their references: without its landing a click still assigns its partner offer; without that it assigns nobody.
  const [noLanding, noLink] = ['0190a7c0-0000-7000-8000-0000000000cc', '0190a7c0-0000-7000-8000-0000000000dd']
  const gone = [
    { ...click, id: noLanding, landing_id: 999 },
    { ...click, id: noLink, offer_partner_id: 999 },
  ]
  await sql(INSERT_INBOX, [JSON.stringify([click, ...gone])])
  await services.clickhouse.insert(
    'click',
    [
      'id',
      'day',
      'created_at',
      'offer_partner_id',
      'offer_id',
      'partner_id',
      'advertiser_id',
      'stream_id',
      'traffic_source_id',
      'site_id',
    ],
    [
      [
        loaded,
        '2024-07-12',
        time(loaded).toISOString().replace('T', ' ').replace('Z', ''),
        record.links[2],
        record.offers[2],
        record.partners[0],
        record.advertiser,
        record.streams[0],
        1,
        'site2',
      ],
    ],
  )
  const state = await bring(
    csv('player_id,date,click_id,deposits', `k-1,2026-03-10,${inbox.toUpperCase()},5`, `k-2,2026-03-10,${loaded},5`),
  )
  expect(state).toMatchObject({ status: 'success', players_added: 2 })
  expect(
    await bring(
      csv('player_id,date,click_id,deposits', `g-1,2026-03-10,${noLanding},5`, `g-2,2026-03-10,${noLink},5`),
      {
        advertiser_id: record.advertiser,
      },
    ),
  ).toMatchObject({ status: 'warnings', warnings: 1, players_added: 2 })
  expect(
    await sql(
      "select outer_id, offer_partner_id, attribution, landing_id from player where outer_id like 'g-%' order by 1",
    ),
  ).toEqual([
    { outer_id: 'g-1', offer_partner_id: record.links[1], attribution: 'click', landing_id: null },
    { outer_id: 'g-2', offer_partner_id: null, attribution: 'none', landing_id: null },
  ])
  expect(
    await sql(
      "select outer_id, offer_partner_id, attribution, click_id, sub_id, promocode, site_id from player where outer_id like 'k-%' order by 1",
    ),
  ).toEqual([
    {
      outer_id: 'k-1',
      offer_partner_id: record.links[1],
      attribution: 'click',
      click_id: inbox,
      sub_id: 'sub-x',
      promocode: 'CODE',
      site_id: 'site1',
    },
    {
      outer_id: 'k-2',
      offer_partner_id: record.links[2],
      attribution: 'click',
      click_id: loaded,
      sub_id: null,
      promocode: null,
      site_id: 'site2',
    },
  ])
})

test('a first deposit comes from postbacks if they know one, else from reports [PLY-02]', async () => {
  const sql = sqlOf(services.postgres)
  const known = await addPlayer(services.postgres, record.links[0], '2026-03-01T10:00:00Z', {
    outer_id: 'fd-1',
    first_deposit_at: '2026-03-05T10:00:00Z',
    first_deposit_amount: 3,
  })
  await addEvent(services.postgres, known, 'dep', '2026-03-05T10:00:00Z', 3, record.eur)
  await bring('player_id,date,deposits,deposits_count\nfd-1,2026-03-04,9,1\nfd-2,2026-03-06,8,1\nfd-2,2026-03-05,7,1', {
    advertiser_id: record.advertiser,
  })
  expect(
    await sql(
      "select outer_id, first_deposit_at, first_deposit_amount from player where outer_id like 'fd-%' order by 1",
    ),
  ).toEqual([
    { outer_id: 'fd-1', first_deposit_at: new Date('2026-03-05T10:00:00Z'), first_deposit_amount: '3.0000' },
    { outer_id: 'fd-2', first_deposit_at: new Date('2026-03-04T22:00:00Z'), first_deposit_amount: '7.0000' },
  ])
})
