// Exported lists contain what the lists show, in both formats and languages, for every entity; no text runs as a formula.

import { once } from 'node:events'
import { Readable } from 'node:stream'
import { isAllowed } from '@tributary/contract/access'
import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import type { FastifyReply } from 'fastify'
import { readXlsx } from 'hucre/xlsx'
import { beforeAll, expect, test } from 'vitest'
import { sendSheet } from '../../src/api/sheet-reply.ts'
import { chooseFormat, neutralise, type Sheet, writeSheet } from '../../src/lib/sheet.ts'
import { readInBatches } from '../../src/postgres/cursor.ts'
import type { Server } from '../../src/server.ts'
import {
  ask,
  done,
  ENTITY_MODULES,
  type Json,
  linkOf,
  makeNetwork,
  makeOffer,
  type Network,
  unique,
} from '../support/entity-calls.ts'
import { entityOf } from '../support/entity-rows.ts'
import { startTestApp } from '../support/harness.ts'
import { readSheet, type SheetFile } from '../support/sheet-file.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn
let own: Network
let foreign: Network

const FORMATS = ['xlsx', 'csv'] as const

async function exported(person: SignedIn, path: string, headers: Record<string, string> = {}): Promise<SheetFile> {
  const answer = await person.call('GET', path, undefined, headers)
  expect(answer.status, path).toBe(200)
  return readSheet(answer)
}

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  own = await makeNetwork(admin)
  foreign = await makeNetwork(admin)
  for (const net of [own, foreign]) await done(admin, 'POST', 'offer_partner', linkOf(net))
})

test('every list is exported completely, in the order and with the filters of the list, in both formats [LIST-12, API-01]', async () => {
  const advertiser = await done(admin, 'POST', 'advertiser', {
    title: unique('Wide'),
    default_domain: 'https://wide.test',
    default_currency: own.currency.id,
    countries: [{ country: own.country.id, media_id: 'm' }],
  })
  const presence = (advertiser.countries as Json[])[0]
  if (presence === undefined) throw new Error('no country')
  for (let index = 0; index < 30; index++)
    await makeOffer(admin, { advertiser, presence, currency: own.currency }, { cost: `${index}.5` })
  const list = `filter[advertiser]=${advertiser.id}&order[cost]=ASC`
  const rows = (await done(admin, 'GET', `offer?${list}&limit=-1`)).items as Json[]
  for (const format of FORMATS) {
    const file = await exported(admin, `offer/export?format=${format}&${list}&limit=10&columns[]=title&columns[]=cost`)
    expect(file.format).toBe(format)
    expect(file.total).toBe(30)
    expect(file.rows.map(([title, cost]) => [title, Number(cost)])).toEqual(
      rows.map(({ title, cost }) => [title, Number(cost)]),
    )
    // The announced size of a short file is exact.
    expect(file.estimated).toBe(file.bytes)
  }
  for (const name of ENTITY_NAMES) {
    const { pagination } = (await done(admin, 'GET', name)) as unknown as { pagination: { total: number } }
    const file = await exported(admin, `${name}/export`)
    expect(file.total, name).toBe(pagination.total)
    expect(file.rows.length, name).toBe(pagination.total)
  }
})

test('headers, choices and flags are in the language of the reader; moments in the business zone [LIST-12, I18N-01, I18N-04]', async () => {
  const path = `offer/export?format=csv&filter[id]=${own.offer.id}&columns[]=state&columns[]=active&columns[]=advertiser&columns[]=created_at`
  const english = await exported(admin, path)
  expect(english.header).toEqual(['State', 'Active', 'Advertiser', 'Created'])
  const russian = await exported(admin, path, { 'accept-language': 'ru' })
  expect(russian.header).toEqual(['Состояние', 'Активность', 'Рекламодатель', 'Создано'])
  expect(russian.rows[0]?.slice(0, 2)).toEqual(['Одобрен', 'Да'])
  expect(russian.name).toMatch(/^Офферы-\d{4}-\d\d-\d\d\.csv$/)
  const audit = `audit_log/export?format=csv&filter[entity]=offer&filter[entity_id]=${own.offer.id}&columns[]=entity&columns[]=cause`
  expect((await exported(admin, audit, { 'accept-language': 'ru' })).rows).toEqual([['Офферы', 'Оффер: создание']])
  const { pool } = server.services.postgres
  await pool.query("update offer set created_at = '2026-03-29T00:59:59Z' where id = $1", [own.offer.id])
  const winter = await exported(admin, path)
  expect(winter.rows[0]?.[3]).toBe('2026-03-29 02:59:59')
  await pool.query("update offer set created_at = '2026-03-29T01:00:00Z' where id = $1", [own.offer.id])
  const sheet = await exported(admin, path.replace('csv', 'xlsx'))
  expect(new Date(String(sheet.rows[0]?.[3])).toISOString()).toBe('2026-03-29T04:00:00.000Z')
})

test('formulas in cells are neutralised, numbers stay numbers [LIST-12]', async () => {
  const hostile = [
    '=cmd|calc',
    '+1+1',
    '-2+3',
    '@SUM(A1)',
    ' =1+1',
    'fine',
    '007',
    '<script>alert(1)</script>',
    'a "b", c',
    '\u202eabc 😀',
  ]
  const ids: number[] = []
  for (const text of hostile) {
    const stored = await done(admin, 'POST', 'landing', { title: unique('L'), value: 'x' })
    ids.push(stored.id)
    await server.services.postgres.pool.query('update landing set title = $2, value = $3 where id = $1', [
      stored.id,
      text,
      `\t${text}`,
    ])
  }
  const path = `landing/export?filter[id][in]=${ids.join('|')}&order[id]=ASC&columns[]=title&columns[]=value&columns[]=id`
  for (const format of FORMATS) {
    const file = await exported(admin, `${path}&format=${format}`)
    const titles = file.rows.map(([title]) => title)
    expect(titles).toEqual(["'=cmd|calc", "'+1+1", "'-2+3", "'@SUM(A1)", "' =1+1", ...hostile.slice(5)])
    expect(file.rows.map(([, value]) => String(value)).every((value) => value.startsWith("'\t"))).toBe(true)
    expect(file.rows.map(([, , id]) => Number(id))).toEqual(ids)
  }
  const negative: Sheet = {
    title: 'a/b*c',
    columns: [{ header: '=h', kind: 'number' }],
    batches: (async function* () {
      yield [['-12.5000'], [-3], ['-1+2']]
    })(),
    total: 3,
    zone: 'UTC',
  }
  const text = Buffer.concat(await writeSheet(negative, 'csv').toArray()).toString()
  expect(text).toBe("\ufeff'=h\r\n-12.5000\r\n-3\r\n'-1+2")
  expect(neutralise('\r=1')).toBe("'\r=1")
})

test('months are dates of a workbook that show their name, and year and month in csv [LIST-12]', async () => {
  const months = (): Sheet => ({
    title: 'Months',
    columns: [{ header: 'Month', kind: 'month' }],
    batches: (async function* () {
      yield [['2026-10'], ['2026-11-01'], [null], ['soon']]
    })(),
    total: 4,
    zone: 'UTC',
  })
  const text = Buffer.concat(await writeSheet(months(), 'csv').toArray()).toString()
  expect(text).toBe('\ufeffMonth\r\n2026-10\r\n2026-11-01\r\n\r\nsoon')
  const book = await readXlsx(Buffer.concat(await writeSheet(months(), 'xlsx').toArray()), { readStyles: true })
  const [sheet] = book.sheets
  expect(sheet?.rows.slice(1)).toEqual([[new Date('2026-10-01')], [new Date('2026-11-01')], [null], ['soon']])
  expect([...(sheet?.cells?.values() ?? [])].map(({ style }) => style?.numFmt)).toContain('mmmm yyyy')
})

test('more than a million rows become csv [LIST-12]', () => {
  expect(chooseFormat('xlsx', 1_000_000)).toBe('xlsx')
  expect(chooseFormat('xlsx', 1_000_001)).toBe('csv')
  expect(chooseFormat('csv', 3)).toBe('csv')
})

test('an export contains only the rows and fields that the user may see [LIST-12, PERM-07]', async () => {
  const partner = await signIn(server, 'PARTNER', own.partner.id)
  const file = await exported(
    partner,
    'offer_partner/export?columns[]=partner&columns[]=site_id&columns[]=partner_link',
  )
  expect(file.rows.map(([name]) => name)).toEqual([own.partner.title])
  expect(String(file.rows[0]?.[2])).toContain('/c/')
  for (const hidden of ['advertiser_link', 'tags', 'postbacks', 'nothing', 'offer.cost', 'constructor'])
    expect((await ask(partner, 'GET', `offer_partner/export?columns[]=${hidden}`)).status, hidden).toBe(422)
  const template = "select permissions from user_role where kind = 'PARTNER'"
  const { permissions } = (await server.services.postgres.pool.query(template)).rows[0]
  for (const name of ENTITY_NAMES) {
    const isOpen = isAllowed(entityOf(name).access.view, { role: 'PARTNER', permissions })
    expect((await ask(partner, 'HEAD', `${name}/export`)).status, name).toBe(isOpen ? 200 : 403)
  }
  expect((await ask(partner, 'GET', 'offer_partner/export?format=exe')).status).toBe(422)
  expect((await ask(partner, 'GET', 'offer_partner/export?filter[nothing]=1')).status).toBe(422)
})

test('a long export is streamed: it starts before all is read, buffers no more than a batch, and ends with its reader [LIST-12]', async () => {
  const { postgres } = server.services
  const { pool } = postgres
  await pool.query(
    `insert into landing (title, value) select 'bulk ' || n, repeat('v', 200) from generate_series(1, 20000) as n`,
  )
  const busy = async (): Promise<number> =>
    (
      await pool.query(
        "select count(*)::int as n from pg_stat_activity where query like '%\"landing\" as t%' and state = 'active' and pid <> pg_backend_pid()",
      )
    ).rows[0].n
  const leaving = new AbortController()
  const answer = await fetch(`${server.url}/api/landing/export?format=csv`, {
    headers: { authorization: `Bearer ${admin.token}`, 'accept-encoding': 'identity' },
    signal: leaving.signal,
  })
  const reader = answer.body?.getReader()
  await reader?.read()
  expect(Number(answer.headers.get('x-total-rows'))).toBeGreaterThan(20_000)
  const estimate = Number(answer.headers.get('x-estimated-bytes'))
  expect(estimate).toBeGreaterThan(20_000 * 200)
  expect(estimate).toBeLessThan(20_000 * 400)
  leaving.abort()
  await expect
    .poll(async () => pool.idleCount === pool.totalCount && (await busy()) === 0, { timeout: 10_000 })
    .toBe(true)
  const whole = await exported(admin, 'landing/export?format=xlsx&filter[title][like]=bulk')
  expect(whole.rows.length).toBe(20_000)
})

test('a reader who leaves during the first piece of a file ends it, closes its rows, and nothing else fails [LIST-12]', async () => {
  let isClosed = false
  const batches = (async function* () {
    try {
      for (;;) yield [['x'.repeat(100_000)]]
    } finally {
      isClosed = true
    }
  })()
  let file = new Readable()
  const reply = { header: () => reply, send: (sent: Readable) => (file = sent) }
  const columns = [{ header: 'Text', kind: 'text' as const }]
  // The framework's reply, as far as it is used.
  await sendSheet(
    reply as unknown as FastifyReply,
    { title: 'Long', columns, batches, total: null, zone: 'UTC' },
    'csv',
  )
  const failed = once(file, 'error')
  file.once('data', () => file.destroy(new Error('premature close')))
  expect(await failed).toMatchObject([{ message: 'premature close' }])
  await expect.poll(() => isClosed).toBe(true)
})

test('a statement whose reader has gone is cancelled in the database [LIST-12]', async () => {
  const { postgres } = server.services
  const leaving = new AbortController()
  const slow = readInBatches(postgres, { sql: 'select pg_sleep(60)', parameters: [] }, { signal: leaving.signal })
  const first = slow.next()
  setTimeout(() => leaving.abort(), 200)
  await expect(first).rejects.toThrow()
  const sleeping =
    "select count(*)::int as n from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'"
  await expect.poll(async () => (await postgres.pool.query(sleeping)).rows[0].n, { timeout: 10_000 }).toBe(0)
})
