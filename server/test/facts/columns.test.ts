// The declared columns match the tables, the view of the inbox and the inbox's text lines.
import { beforeAll, expect, test } from 'vitest'
import { inboxLineSql } from '../../src/facts/clicks/click-lines.ts'
import {
  CLICK,
  CLICK_COLUMNS,
  DAY_ONLY,
  type InboxClick,
  LINE_COLUMNS,
  PLAYER_DATES,
  PLAYER_DIMENSIONS,
  PLAYER_ONLY,
  SPEND,
} from '../../src/facts/columns.ts'
import {
  ACTIVITY_COLUMNS,
  LOG_COLUMNS,
  PLAYER_COLUMNS,
  SPEND_COLUMNS,
  VERSION_COLUMNS,
} from '../../src/facts/fact-row.ts'
import { ClickBatch } from '../../src/tracker/clicks/click-batch.ts'
import { startTestServices, type TestServices } from '../support/harness.ts'

let services: TestServices

beforeAll(async () => {
  services = await startTestServices()
})

const columnsOf = async (table: string): Promise<Record<string, string>> => {
  const rows = await services.clickhouse.query<{ name: string; type: string }>(
    'select name, type from system.columns where database = currentDatabase() and table = {table:String}',
    { table },
  )
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]))
}

/** The ClickHouse type of each kind. */
const TYPES: Readonly<Record<string, RegExp>> = {
  id: /^UInt(32|64)$/,
  count: /^UInt(8|32)$/,
  flag: /^UInt8$/,
  money: /^Decimal\(18, 4\)$/,
  text: /^(LowCardinality\(String\)|String)$/,
  uuid: /^UUID$/,
  day: /^Date$/,
  time: /^DateTime64\(3, 'UTC'\)$/,
}
const isKind = (kind: string | readonly string[]): kind is string => typeof kind === 'string'

const PLAYER = { ...PLAYER_ONLY, ...PLAYER_DATES, ...PLAYER_DIMENSIONS }
const ACTIVITY = { ...DAY_ONLY, ...PLAYER_DATES, ...PLAYER_DIMENSIONS }

test.each([
  ['player_fact', PLAYER, [...PLAYER_COLUMNS, ...VERSION_COLUMNS, 'hash', 'days', 'hashes']],
  ['player_fact_log', PLAYER, [...PLAYER_COLUMNS, ...VERSION_COLUMNS, ...LOG_COLUMNS]],
  ['activity_fact', ACTIVITY, [...ACTIVITY_COLUMNS, ...VERSION_COLUMNS]],
  ['activity_fact_log', ACTIVITY, [...ACTIVITY_COLUMNS, ...VERSION_COLUMNS, ...LOG_COLUMNS]],
  ['spend_fact', SPEND, [...SPEND_COLUMNS, ...VERSION_COLUMNS, 'hash']],
  ['spend_fact_log', SPEND, [...SPEND_COLUMNS, ...VERSION_COLUMNS, ...LOG_COLUMNS]],
] as const)('%s has the declared columns, of types that hold their kinds [SYS-03]', async (table, declared, names) => {
  const columns = await columnsOf(table)
  expect(Object.keys(columns).toSorted()).toEqual([...names].toSorted())
  for (const [name, kind] of Object.entries(declared)) {
    const enumerated: readonly string[] = isKind(kind) ? [] : kind
    const type = isKind(kind) ? TYPES[kind] : `Enum8(${enumerated.map((one, at) => `'${one}' = ${at}`).join(', ')})`
    expect(columns[name], name).toEqual(typeof type === 'string' ? type : expect.stringMatching(type ?? /never/))
  }
})

test('click and the view of the inbox have the declared columns [SYS-03] [TRK-03]', async () => {
  expect(Object.keys(await columnsOf('click')).toSorted()).toEqual([...CLICK_COLUMNS].toSorted())
  const { rows } = await services.postgres.pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'click_inbox_row' order by ordinal_position`,
  )
  const fields = LINE_COLUMNS.filter((name) => CLICK[name] !== 'derived')
  expect(rows.map(({ name }) => name)).toEqual(['id', 'writer', 'created_at', ...fields])
})

/** Each field has a value that identifies it. */
const CLICK_OF_NAMES: InboxClick = {
  id: '019d4b5c-3000-7000-8000-00000000000a',
  created_at: Date.parse('2026-04-01T12:00:00.123Z'),
  offer_partner_id: 1,
  offer_id: 2,
  partner_id: 3,
  advertiser_id: 4,
  stream_id: 5,
  traffic_source_id: 6,
  country_id: 7,
  landing_id: 8,
  bot: false,
  canonical_id: '019d4b5c-3000-7000-8000-000000000001',
  site_id: 'site_id',
  sub_id: 'sub_id',
  sub2: 'sub2',
  sub3: 'sub3',
  sub4: 'sub4',
  sub5: 'sub5',
  partner_click_id: 'partner_click_id',
  promocode: 'promocode',
  media_id: 'media_id',
  ip: '192.0.2.7',
  ip_country: 'UA',
  user_agent: 'user_agent',
  referrer: 'referrer',
  language: 'uk',
  url: '/c/url',
  target: 'https://target.example/',
}

test('lines that the tracker copies into the inbox are read there, and in ClickHouse, column by column [TRK-01] [TRK-03]', async () => {
  const { postgres, clickhouse } = services
  const batch = new ClickBatch()
  batch.add(CLICK_OF_NAMES, 1)
  const line = batch.finish()
  const text = line.subarray(line.indexOf('1\t2\t3\t4'), -7).toString()
  const moment = new Date(CLICK_OF_NAMES.created_at)
  await postgres.pool.query('insert into click_inbox (id, writer, created_at, line) values ($1, 1, $2, $3)', [
    CLICK_OF_NAMES.id,
    moment,
    text,
  ])
  const { rows } = await postgres.pool.query('select * from click_inbox_row')
  expect(rows).toEqual([{ ...CLICK_OF_NAMES, writer: 1, created_at: moment }])
  const { rows: lines } = await postgres.pool.query<{ line: string }>(
    `select ${inboxLineSql('Europe/Kyiv')} as line from click_inbox c`,
  )
  await clickhouse.insertText('click', CLICK_COLUMNS, 'TabSeparated', lines.map((row) => `${row.line}\n`).join(''))
  expect(await clickhouse.query('select * from click')).toEqual([
    { ...CLICK_OF_NAMES, day: '2026-04-01', created_at: '2026-04-01 12:00:00.123', bot: 0, is_click: 1, is_unique: 0 },
  ])
})
