// The spend table: what it shows, cells that are saved one by one, two people at once, and whom it refuses.

import type { SpendUpdateAnswer } from '@tributary/contract/calls/spend-table'
import { addDays, formatDay } from '@tributary/contract/period'
import { beforeAll, expect, test } from 'vitest'
import { modelSince } from '../../src/entities/spends/spend-offer-partners.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, ENTITY_MODULES, makeSpendGround, refused } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { cellOf, day, LAST_DAY, MONTH, payByCpa, save, tableOf } from './spend-table-calls.ts'

const codes = ({ refused: cells }: SpendUpdateAnswer) => cells.map(({ date, code }) => `${date} ${code}`)

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
})

test('a cell has base, sum with the percentage, source, claim and lock; blank is not 0 [SPD-01] [MON-07]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2), day(3)])
  await server.services.postgres.pool.query('update setting set agency_spend_percentage = 10')
  await done(admin, 'POST', 'partner_spend', { ...own.spend, date: day(1), sum: '12.5' })
  await done(admin, 'POST', 'partner_spend', { ...own.spend, date: day(2), sum: '0' })
  await server.services.postgres.pool.query(
    `insert into partner_spend (stream_id, country_id, date, claim_sum, claim_currency_id, claim_at, currency_id, offer_partner_id)
      values ($1, $2, $3, 7, $4, now(), $4, $5)`,
    [own.net.stream.id, own.net.country.id, day(3), own.net.currency.id, own.link.id],
  )
  const table = await tableOf(admin, own)
  expect(table.days).toHaveLength(Number(LAST_DAY.slice(8)))
  expect(cellOf(table, own, day(1))).toMatchObject({
    base: '12.5000',
    sum: '13.7500',
    has_data: true,
    source: 'manual',
    claimed: null,
    locked: false,
    version: 1,
  })
  expect(cellOf(table, own, day(2))).toMatchObject({ base: '0.0000', sum: '0.0000' })
  expect(cellOf(table, own, day(3))).toMatchObject({
    base: null,
    claimed: '7.0000',
    claim_currency: own.net.currency.value,
    source: null,
    version: 1,
  })
  expect(cellOf(table, own, day(4))).toMatchObject({
    base: null,
    has_data: false,
    locked: true,
    reason: 'spend_without_activity',
    version: null,
  })
})

test('a closed month says when and by whom it was closed, and its cells are locked [MON-02] [MON-07]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  expect(await tableOf(admin, own)).toMatchObject({ closed: null })
  await server.services.postgres.pool.query(
    `with close as (
      insert into period_close (month, closed_at, closed_by_id, known_at) select $1, now(), id, now() from "user" limit 1
      returning id)
    insert into period_close_partner (period_close_id, month, partner_id) select id, $1, $2 from close`,
    [MONTH, own.net.partner.id],
  )
  const table = await tableOf(admin, own)
  expect(table.closed).toEqual({ at: expect.stringMatching(/Z$/), by: expect.stringMatching(/./) })
  expect(cellOf(table, own, day(1))).toMatchObject({ locked: true, reason: 'period_closed' })
  await server.services.postgres.pool.query('update period_close_partner set reopened_at = now()')
  await server.services.postgres.pool.query('update period_close set reopened_at = now()')
  expect(await tableOf(admin, own)).toMatchObject({ closed: null })
})

test('cells are saved one by one: a rejected cell does not stop the others [SPD-01] [SPD-03] [MON-07]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2), day(3)])
  const answer = await save(admin, own, [
    { date: day(1), base: '10.50' },
    { date: day(2), base: '-1' },
    { date: day(3), base: '1e5' },
    { date: day(4), base: '5' },
    { date: day(1), base: '11' },
    { date: addDays(day(1), -1), base: '1' },
    { date: `${MONTH}-99`, base: '1' },
    { date: day(2), base: '1', site_id: 'nowhere' },
    { date: day(2), base: '99999999999999' },
  ])
  expect(answer.saved).toBe(1)
  expect(codes(answer)).toEqual([
    `${day(2)} min_value`,
    `${day(3)} only_numbers`,
    `${day(4)} spend_without_activity`,
    `${day(1)} spend_repeated`,
    `${addDays(day(1), -1)} spend_outside_month`,
    `${MONTH}-99 date_invalid`,
    `${day(2)} spend_site_missing`,
    `${day(2)} max_value`,
  ])
  expect(answer.refused[2]?.message).toContain('no clicks')
  expect(cellOf(await tableOf(admin, own), own, day(1))).toMatchObject({ base: '10.5000', source: 'manual' })
})

test('a stream of another partner is rejected like one that does not exist [PERM-07] [MON-07]', async () => {
  const [own, foreign] = [await makeSpendGround(admin, [day(1)]), await makeSpendGround(admin, [day(1)])]
  const answer = (await done(admin, 'PUT', 'partner_spend/update_table', {
    partner: own.net.partner.id,
    month: MONTH,
    cells: [foreign.net.stream.id, 2_000_000_000].map((stream) => ({
      stream,
      country: foreign.net.country.id,
      date: day(1),
      base: '1',
    })),
  })) as unknown as SpendUpdateAnswer
  expect(codes(answer)).toEqual([`${day(1)} reference_missing`, `${day(1)} reference_missing`])
})

test('a cell of a partner offer that is not paid by agency shows which model it has on that day; its old spend can be removed [SPD-03] [ENT-12]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2)])
  await save(admin, own, [{ date: day(1), base: '5' }])
  await payByCpa(server, own)
  const cell = cellOf(await tableOf(admin, own), own, day(1))
  expect(cell).toMatchObject({ base: '5.0000', locked: true, reason: 'not_agency' })
  const answer = await save(admin, own, [
    { date: day(1), base: '6', version: cell.version },
    { date: day(2), base: '6' },
  ])
  expect(answer.refused.map(({ message }) => message)).toEqual([
    expect.stringMatching(`^On ${formatDay(day(1))} this partner offer is paid by CPA: `),
    expect.stringMatching(`^On ${formatDay(day(2))} this partner offer is paid by CPA: `),
  ])
  expect(await save(admin, own, [{ date: day(1), base: null, version: cell.version }])).toMatchObject({
    saved: 1,
    refused: [],
  })
})

test('the day since which an offer has a model is the first one of all ranges in a row; from the beginning there is none [SPD-03]', () => {
  const [agency, cpa] = [4, 1].map((id) => ({ id, title: `model ${id}`, isAgency: id === 4 }))
  if (agency === undefined || cpa === undefined) throw new Error('no models')
  const range = (from: string, to: string, value: typeof cpa) => ({ from, to, value })
  const sinceOf = (ranges: ReturnType<typeof range>[]) =>
    modelSince(
      {
        ...{ id: 1, stream: 1, country: 1, site: '', active: true, offerTitle: 'offer', percentages: [] },
        models: { ranges, otherwise: cpa },
      },
      '2026-11-20',
    )
  expect(sinceOf([])).toBeNull()
  expect(sinceOf([range('1970-01-02', '2026-11-30', cpa)])).toBeNull()
  expect(sinceOf([range('2026-11-01', '2026-11-30', cpa)])).toBeNull()
  expect(sinceOf([range('1970-01-02', '2026-11-09', agency)])).toBe('2026-11-10')
  expect(
    sinceOf([
      range('2026-10-01', '2026-10-31', agency),
      range('2026-11-05', '2026-11-09', cpa),
      range('2026-11-20', '2026-11-20', cpa),
    ]),
  ).toBe('2026-11-01')
})

test('two users edit one month: their cells merge; a conflicting cell is rejected with its current value [MON-07]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2), day(3)])
  const other = await signIn(server, 'ADMIN')
  await save(admin, own, [
    { date: day(1), base: '1' },
    { date: day(3), base: '3' },
  ])
  const third = cellOf(await tableOf(admin, own), own, day(3)).id
  expect(await save(other, own, [{ date: day(1), base: '10', version: 1 }])).toMatchObject({ saved: 1 })
  const answer = await save(admin, own, [
    { date: day(1), base: '11', version: 1 },
    { date: day(2), base: '2' },
    { date: day(3), base: null, version: 1 },
  ])
  expect(answer.saved).toBe(2)
  expect(answer.refused).toEqual([
    expect.objectContaining({
      date: day(1),
      code: 'stale',
      message: expect.stringMatching(/^ADMIN \d+ has meanwhile entered 10\.00 E\w+ here$/),
      current: { base: '10.0000', source: 'manual', version: 2, by: expect.stringMatching(/^ADMIN \d+$/) },
    }),
  ])
  const named = await save(other, own, [{ date: day(3), base: '4', version: 1, id: third }])
  expect(named.refused[0]?.message).toMatch(/^ADMIN \d+ has meanwhile emptied this cell$/)
  const gone = await save(other, own, [{ date: day(3), base: '4', version: 1 }])
  expect(gone.refused[0]).toMatchObject({ code: 'stale', message: 'Somebody has meanwhile emptied this cell' })
  expect(await save(admin, own, [{ date: day(1), base: '10.00', version: 1 }])).toMatchObject({ saved: 1, refused: [] })
})

test('a cell sent without a version overwrites any value; version null is stale unless the cell is empty [API-05] [MON-07]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2)])
  await save(admin, own, [
    { date: day(1), base: '1' },
    { date: day(2), base: '2' },
  ])
  const stale = await save(admin, own, [{ date: day(1), base: '5', version: null }])
  expect(stale.refused[0]).toMatchObject({ code: 'stale' })
  const taken = await save(admin, own, [
    { date: day(1), base: '5' },
    { date: day(2), base: null },
  ])
  expect(taken).toMatchObject({ saved: 2, refused: [] })
  const table = await tableOf(admin, own)
  expect([day(1), day(2)].map((date) => cellOf(table, own, date).base)).toEqual(['5.0000', null])
})

test('of two people who fill the same blank cells at once one wins each cell, and nothing is lost or doubled [MON-07]', async () => {
  const days = Array.from({ length: 20 }, (_, index) => day(index + 1))
  const own = await makeSpendGround(admin, days)
  const other = await signIn(server, 'ADMIN')
  const [a, b] = await Promise.all([
    save(
      admin,
      own,
      days.map((date) => ({ date, base: '1', version: null })),
    ),
    save(
      other,
      own,
      days.toReversed().map((date) => ({ date, base: '2', version: null })),
    ),
  ])
  expect(a.saved + b.saved).toBe(20)
  expect([...a.refused, ...b.refused].every(({ code }) => code === 'stale')).toBe(true)
  const table = await tableOf(admin, own)
  const ones = days.filter((date) => cellOf(table, own, date).base === '1.0000').length
  expect(ones).toBe(a.saved)
})

test('every changed cell is in the audit log and reaches the reports [MON-07] [AUD-01]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  await save(admin, own, [{ date: day(1), base: '5' }])
  const { id } = cellOf(await tableOf(admin, own), own, day(1))
  await save(admin, own, [{ date: day(1), base: '6', version: 1 }])
  await save(admin, own, [{ date: day(1), base: null, version: 2 }])
  const { rows } = await server.services.postgres.pool.query(
    `select action, cause, user_id, before ->> 'sum' as was, after ->> 'sum' as is from audit_log
      where entity = 'partner_spend' and entity_id = $1 order by id`,
    [id],
  )
  expect(rows).toEqual([
    { action: 'create', cause: 'spend table', user_id: admin.id, was: null, is: '5.0000' },
    { action: 'update', cause: 'spend table', user_id: admin.id, was: '5.0000', is: '6.0000' },
    { action: 'delete', cause: 'spend table', user_id: admin.id, was: '6.0000', is: null },
  ])
  const outbox = await server.services.postgres.pool.query(
    `select cause from outbox where kind = 'spend' and key = $1 order by id`,
    [id],
  )
  expect(outbox.rows).toEqual([{ cause: 'spend table' }, { cause: 'spend table' }, { cause: 'spend table' }])
})

test('a body with wrong types is rejected as a whole, naming the first wrong cells [API-05] [MON-07]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  const good = { stream: own.net.stream.id, country: own.net.country.id, date: day(1), base: '1' }
  const wrong: unknown[] = [
    { ...good, base: 1 },
    { ...good, base: 'x'.repeat(41) },
    { ...good, stream: '1' },
    { ...good, stream: 2 ** 31 },
    { ...good, version: 1.5 },
    { ...good, site_id: 5 },
    { ...good, sum: '1' },
    null,
    [],
    { stream: 1 },
  ]
  const reply = await refused(admin, 'PUT', 'partner_spend/update_table', {
    partner: own.net.partner.id,
    month: MONTH,
    cells: [good, ...wrong],
  })
  expect(Object.keys((reply as { cells: Record<string, unknown> }).cells)).toEqual(
    wrong.map((_, index) => String(index + 1)),
  )
  for (const body of [
    { partner: own.net.partner.id, month: '2026-13', cells: [] },
    { partner: own.net.partner.id, month: MONTH },
    { partner: 'x', month: MONTH, cells: [] },
    { month: MONTH, cells: [] },
  ])
    expect((await ask(admin, 'PUT', 'partner_spend/update_table', body)).status).toBe(422)
  expect((await ask(admin, 'GET', `partner_spend/table?partner=${own.net.partner.id}`)).status).toBe(422)
  expect((await ask(admin, 'GET', `partner_spend/table?partner=999999&month=${MONTH}`)).status).toBe(404)
  expect((await ask(admin, 'GET', `partner_spend/table?partner=0&month=${MONTH}`)).status).toBe(422)
})

test('hostile texts in a cell are rejected by cell, or harmless [API-05]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  for (const base of [
    "1'; drop table partner_spend",
    '١٢',
    ' ',
    '',
    'NaN',
    'Infinity',
    '0x10',
    '1,5',
    '1 000',
    '12.34567',
  ])
    expect((await save(admin, own, [{ date: day(1), base }])).refused, base).toHaveLength(1)
  for (const site_id of ["' or 1=1", '\u0000', '💥', '%'])
    expect((await save(admin, own, [{ date: day(1), base: '1', site_id }])).refused, site_id).toHaveLength(1)
  expect(cellOf(await tableOf(admin, own), own, day(1)).base).toBeNull()
})

test('a PARTNER, and staff who only claim, use none of these calls; a foreign partner is not found [PERM-07] [MON-06]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  const self = await signIn(server, 'PARTNER', own.net.partner.id)
  const stranger = await signIn(server, 'MANAGER')
  const claimant = await signIn(server, 'ADMIN')
  const { pool } = server.services.postgres
  await pool.query('update "user" set permissions = $2 where id = $1', [
    self.id,
    ['partners_spend_view', 'partners_spend_edit', 'partners_spend_partner_edit'],
  ])
  const at = `partner=${own.net.partner.id}&month=${MONTH}`
  const total = { month: MONTH, base: '1' }
  const calls: [string, string, unknown?][] = [
    ['GET', `partner_spend/table?${at}`],
    ['GET', `partner_spend/table/export?${at}`],
    ['GET', `partner_spend/missing?${at}`],
    ['PUT', 'partner_spend/update_table', { partner: own.net.partner.id, month: MONTH, cells: [] }],
    ['PUT', 'partner_spend/update_spend_by_partner', { partner: own.net.partner.id, ...total }],
    [
      'PUT',
      'partner_spend/update_spend_by_stream_and_country',
      { stream: own.net.stream.id, country: own.net.country.id, ...total },
    ],
  ]
  for (const [method, path, body] of calls) {
    expect((await ask(self, method, path, body)).status, path).toBe(403)
    expect((await ask(stranger, method, path, body)).status, path).toBe(404)
  }
  await pool.query('update "user" set permissions = $2 where id = $1', [
    stranger.id,
    ['partners_spend_view', 'partners_spend_partner_edit'],
  ])
  for (const [method, path, body] of calls.slice(3)) expect((await ask(stranger, method, path, body)).status).toBe(403)
  expect((await ask(claimant, 'GET', `partner_spend/table?${at}`)).status).toBe(200)
})
