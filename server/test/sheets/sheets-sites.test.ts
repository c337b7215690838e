// One sum per partner offer and day, with or without a site, from forms, files and sheets.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GoogleSheetsServer, startGoogleSheetsServer } from '../../../demo/google-sheets-server.ts'
import { createSharedSheets, sharedSheets } from '../../src/integrations/sheets/open-sheets.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, refused } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { DAYS, files, keysOf, MONTH, makeSheet, parse as parseByHand, type Sheet, spends } from './sheets-bench.ts'

let google: GoogleSheetsServer
let server: Server
let admin: SignedIn

beforeAll(async () => {
  google = await startGoogleSheetsServer((id) => files[id])
  afterAll(() => google.stop())
  server = await startTestApp({ modules: MODULES, env: { ALLOW_PRIVATE_TARGETS: '1' } })
  admin = await signIn(server, 'ADMIN')
  await server.services.postgres.pool.query(
    `insert into sheet_run (kind, due_at, files) values ('daily', '2998-01-01', 0), ('monthly', '2998-01-01', 0)`,
  )
  await done(admin, 'PUT', 'integration/sheets', { base_url: google.url, credential: google.credential })
  sharedSheets.fill(server.services, createSharedSheets({ readsPerMinute: 1000, pauseMs: 10 }))
})

const parse = (sheet: Sheet, body?: Record<string, unknown>) => parseByHand({ google, server, admin }, sheet, body)
const read = (sheet: Sheet) => spends({ server }, sheet)
const siteOf = (sheet: Sheet): string => String(sheet.ground.link.site_id)

function serveBySite(sheet: Sheet, site: string, ...sums: number[]): void {
  sheet.serve([
    ['Stream', 'Country', 'Site', 1, 2, 3],
    [sheet.stream, sheet.country, site, ...sums],
  ])
}

/** A total is spread by the registrations that the facts hold. */
const untilFactsHold = (registrations: number, stream: Json): Promise<void> =>
  expect
    .poll(
      async () => {
        const [row] = await server.services.clickhouse.query<{ n: string }>(
          'select sum(registrations) as n from activity_fact final where stream_id = {stream:UInt32} and is_deleted = 0',
          { stream: Number(stream.id) },
        )
        return Number(row?.n)
      },
      { timeout: 20_000 },
    )
    .toBe(registrations)

async function importCsv({ ground, stream, country }: Sheet, rows: readonly string[]): Promise<Json> {
  const form = new FormData()
  const lines = ['Stream,Country,Site ID,Date,Sum', ...rows.map((row) => `${stream},${country},${row}`)]
  form.append('file', new Blob([lines.join('\n')]), 'spends.csv')
  const answer = await fetch(`${server.url}/api/partner_spend/import?partner=${ground.net.partner.id}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as Json
}

test('a month’s total keeps the sites of the sums it replaces, and the next parse of the sheet adds nothing [MON-06] [SPD-01]', async () => {
  const sheet = await makeSheet({ admin })
  serveBySite(sheet, siteOf(sheet), 10, 20, 30)
  expect(await parse(sheet)).toMatchObject({ rows_taken: 3 })
  const { stream, country } = sheet.ground.net
  await untilFactsHold(DAYS.length, stream)
  const total = { stream: stream.id, country: country.id, month: MONTH, base: '100.00' }
  const spread = await done(admin, 'PUT', 'partner_spend/update_spend_by_stream_and_country', total)
  expect(spread).toMatchObject({ saved: 5, removed: 0 })
  const { rows } = await server.services.postgres.pool.query(
    'select distinct site_id from partner_spend where stream_id = $1',
    [stream.id],
  )
  expect(rows).toEqual([{ site_id: siteOf(sheet) }])
  const after = ['1 20.00 manual', '2 20.00 manual', '3 20.00 manual', '4 20.00 manual', '5 20.00 manual']
  expect(await read(sheet)).toEqual(after)
  expect(keysOf(await parse(sheet))).toEqual(['D2 sheet_conflict_manual', 'F2 sheet_conflict_manual'])
  expect(await read(sheet)).toEqual(after)
})

test('a tab whose column of sites was renamed takes nothing and says so; staff can allow it [MON-08] [SPD-04]', async () => {
  const sheet = await makeSheet({ admin })
  const { stream, country } = sheet
  serveBySite(sheet, siteOf(sheet), 10, 20, 30)
  await parse(sheet)
  const sites = async () =>
    (
      await server.services.postgres.pool.query(
        'select coalesce(site_id, $2) as site, sum(sum)::float as sum from partner_spend where stream_id = $1 group by 1',
        [sheet.ground.net.stream.id, 'none'],
      )
    ).rows
  const before = [{ site: siteOf(sheet), sum: 60 }]
  sheet.serve([
    ['Stream', 'Country', 'Place of the ad', 1, 2, 3],
    [stream, country, siteOf(sheet), 10, '#N/A', 30],
  ])
  const refusal = await parse(sheet)
  expect(refusal).toMatchObject({ rows_taken: 0, rows_removed: 0 })
  expect(keysOf(refusal)).toContain(' sheet_sites_gone')
  expect(await sites()).toEqual(before)
  serveBySite(sheet, '', 10, 20, 30)
  expect(keysOf(await parse(sheet))).toEqual([' sheet_sites_gone'])
  expect(await parse(sheet, { allow_removals: true })).toMatchObject({ status: 'success' })
  expect(await sites()).toEqual([{ site: 'none', sum: 60 }])
  expect(await parse(sheet)).toMatchObject({ rows_changed: 0, rows_removed: 0, rows_unchanged: 3, status: 'success' })
})

test('a claim without a site stays beside the sheet’s equal sum with the site, and cannot be accepted on top of it [MON-06] [MON-08]', async () => {
  const sheet = await makeSheet({ admin })
  const { net, link } = sheet.ground
  const { pool } = server.services.postgres
  const { rows: added } = await pool.query<{ id: number }>(
    `insert into partner_spend (stream_id, country_id, date, claim_sum, claim_currency_id, claim_at, currency_id, offer_partner_id)
      values ($1, $2, $3, 30, $4, now(), $4, $5) returning id`,
    [net.stream.id, net.country.id, DAYS[0], net.currency.id, link.id],
  )
  serveBySite(sheet, siteOf(sheet), 30)
  expect(await parse(sheet)).toMatchObject({ status: 'success', rows_taken: 1 })
  const kept = async () =>
    (
      await pool.query(
        `select site_id as site, round(sum)::int as sum, round(claim_sum)::int as claim, state from partner_spend
          where stream_id = $1 order by id`,
        [net.stream.id],
      )
    ).rows
  const both = [
    { site: null, sum: null, claim: 30, state: 'claimed' },
    { site: siteOf(sheet), sum: 30, claim: null, state: 'accepted' },
  ]
  expect(await kept()).toEqual(both)
  const answer = await done(admin, 'PUT', 'partner_spend/accept', { ids: [Number(added[0]?.id)] })
  expect(answer).toMatchObject({ accepted: 0, refusals: [{ message: expect.stringContaining(siteOf(sheet)) }] })
  expect(await kept()).toEqual(both)
})

test('a sum without a site goes before the sheet’s with the site, and the conflict names both [MON-06] [MON-08]', async () => {
  const sheet = await makeSheet({ admin })
  await done(admin, 'POST', 'partner_spend', { ...sheet.ground.spend, date: DAYS[0], sum: '99' })
  expect(await importCsv(sheet, [`,${DAYS[1]},77`])).toMatchObject({ new: 1 })
  serveBySite(sheet, siteOf(sheet), 10, 20, 30)
  const row = await parse(sheet)
  expect(keysOf(row)).toEqual(['D2 sheet_conflict_manual', 'E2 sheet_conflict_import'])
  const code = String(sheet.ground.net.currency.value)
  expect((row.warnings as Json[])[0]).toMatchObject({ values: { sum: `10.00 ${code}`, kept: `99.00 ${code}` } })
  expect(await read(sheet)).toEqual(['1 99.00 manual', '2 77.00 import', '3 30.00 sheet'])
})

test('an import with the site replaces a sheet’s sum without it; one by hand is kept [MON-06] [SPD-02]', async () => {
  const sheet = await makeSheet({ admin })
  sheet.serveDays(10, 20)
  await parse(sheet)
  await done(admin, 'POST', 'partner_spend', { ...sheet.ground.spend, date: DAYS[2], sum: '99' })
  const site = siteOf(sheet)
  const outcome = await importCsv(sheet, [
    `${site},${DAYS[0]},11`,
    `${site},${DAYS[1]},20`,
    `${site},${DAYS[2]},5`,
    `${site},${DAYS[3]},7`,
    `,${DAYS[3]},8`,
  ])
  expect(outcome).toMatchObject({ new: 1, changed: 2, equal: 0, refused_total: 2 })
  expect((outcome.refused as Json[]).map(({ cell, code }) => [cell, code].join(' '))).toEqual([
    'E4 spend_kept_manual',
    'E6 spend_repeated_site',
  ])
  expect((outcome.warnings as Json[]).map(({ code }) => code)).toEqual([
    'spend_replaces_sheet',
    'spend_kept_from_sheet',
  ])
  expect(await read(sheet)).toEqual(['1 11.00 import', '2 20.00 import', '3 99.00 manual', '4 7.00 import'])
})

test('a form and the grid reject a second sum of the partner offer and day, and say where the first stands [MON-06] [MON-07]', async () => {
  const sheet = await makeSheet({ admin })
  const { ground } = sheet
  const site = siteOf(sheet)
  serveBySite(sheet, site, 10)
  await parse(sheet)
  const whole = { ...ground.spend, date: DAYS[0], sum: '5' }
  expect(await refused(admin, 'POST', 'partner_spend', whole)).toEqual({
    site_id: [expect.stringMatching(/^10\.00 E\w+ is already entered for this partner offer and day with the site /)],
  })
  const cell = { stream: ground.net.stream.id, country: ground.net.country.id }
  const save = (cells: object[]) =>
    done(admin, 'PUT', 'partner_spend/update_table', {
      partner: ground.net.partner.id,
      month: MONTH,
      cells: cells.map((one) => ({ ...cell, ...one })),
    })
  const both = [
    { date: DAYS[0], base: '5' },
    { date: DAYS[1], base: '6' },
    { date: DAYS[1], base: '7', site_id: site },
  ]
  const saved = await save(both)
  expect((saved.refused as Json[]).map(({ date, code }) => [date, code].join(' '))).toEqual([
    `${DAYS[0]} spend_entered_by_site`,
    `${DAYS[1]} spend_entered_whole`,
  ])
  // Moved from the site to the whole in one call.
  const moved = await save([
    { date: DAYS[0], base: '5' },
    { date: DAYS[0], base: null, site_id: site },
  ])
  expect(moved).toMatchObject({ saved: 2, refused: [] })
  expect(await read(sheet)).toEqual(['1 5.00 manual', '2 6.00 manual'])
})

test('a claim beside a sum with another site is not accepted as a second sum [MON-06]', async () => {
  const sheet = await makeSheet({ admin })
  serveBySite(sheet, siteOf(sheet), 10)
  await parse(sheet)
  const { net, link } = sheet.ground
  const { rows } = await server.services.postgres.pool.query<{ id: number }>(
    `insert into partner_spend (stream_id, country_id, date, claim_sum, claim_currency_id, claim_at, currency_id, offer_partner_id)
      values ($1, $2, $3, 7, $4, now(), $4, $5) returning id`,
    [net.stream.id, net.country.id, DAYS[0], net.currency.id, link.id],
  )
  const [claim] = rows
  expect(await ask(admin, 'PUT', 'partner_spend/accept', { ids: [claim?.id] })).toMatchObject({
    body: { accepted: 0 },
  })
  expect(await read(sheet)).toEqual(['1 10.00 sheet', '1 - manual'])
})

test('a column of sites that a sheet gets or loses replaces its sums, and one sheet with both takes the first [MON-08]', async () => {
  const sheet = await makeSheet({ admin })
  sheet.serveDays(10, 20, 30)
  await parse(sheet)
  serveBySite(sheet, siteOf(sheet), 10, 20, 31)
  expect(await parse(sheet)).toMatchObject({ rows_taken: 3, rows_removed: 3, warnings: [] })
  expect(await read(sheet)).toEqual(['1 10.00 sheet', '2 20.00 sheet', '3 31.00 sheet'])
  sheet.serve([
    ['Stream', 'Country', 'Site', 1, 2, 3],
    [sheet.stream, sheet.country, siteOf(sheet), 10, 20, 31],
    [sheet.stream, sheet.country, '', 10, 20, 31],
  ])
  expect(keysOf(await parse(sheet))).toEqual(['D3 sheet_repeated', 'E3 sheet_repeated', 'F3 sheet_repeated'])
  expect(await read(sheet)).toEqual(['1 10.00 sheet', '2 20.00 sheet', '3 31.00 sheet'])
})

test('saving the key again drops its token and ends the pause [SPD-04]', async () => {
  const sheet = await makeSheet({ admin })
  sheet.serveDays(1)
  await parse(sheet)
  google.revoke()
  for (let time = 0; time < 5; time++) await parse(sheet)
  google.revoke(false)
  expect(keysOf(await parse(sheet))).toEqual([' sheet_paused'])
  await done(admin, 'PUT', 'integration/sheets', { credential: google.credential })
  const before = google.calls.length
  expect(await parse(sheet)).toMatchObject({ status: 'success' })
  expect(google.calls.slice(before)).toContain('token')
})

test('an equal sum by import or by hand goes before the sheet from then on, and the change is in the audit log [MON-06] [MON-08]', async () => {
  const sheet = await makeSheet({ admin })
  const { net } = sheet.ground
  sheet.serveDays(10, 20, 30, 40)
  await parse(sheet)
  expect(await importCsv(sheet, [`,${DAYS[0]},10`])).toMatchObject({ changed: 1, equal: 0, refused: [] })
  expect(await importCsv(sheet, [`,${DAYS[0]},10`])).toMatchObject({ changed: 0, equal: 1, warnings: [] })
  const { items } = await done(admin, 'GET', `partner_spend?filter[stream]=${net.stream.id}&order[date]=ASC`)
  const [first, second, third] = items as Json[]
  const cells = [
    { stream: net.stream.id, country: net.country.id, date: DAYS[1], base: '20', version: second?.version },
  ]
  const saved = await done(admin, 'PUT', 'partner_spend/update_table', { partner: net.partner.id, month: MONTH, cells })
  expect(saved).toMatchObject({ saved: 1, warnings: [{ code: 'spend_kept_from_sheet' }] })
  expect(await done(admin, 'PUT', `partner_spend/${third?.id}`, { sum: '30.00' })).toMatchObject({ source: 'manual' })
  sheet.serveDays(11, 21, 31, 41)
  expect(keysOf(await parse(sheet))).toEqual([
    'C2 sheet_conflict_import',
    'D2 sheet_conflict_manual',
    'E2 sheet_conflict_manual',
  ])
  expect(await read(sheet)).toEqual(['1 10.00 import', '2 20.00 manual', '3 30.00 manual', '4 41.00 sheet'])
  const { rows } = await server.services.postgres.pool.query(
    `select concat(before ->> 'source', ' ', after ->> 'source') as told from audit_log
      where entity = 'partner_spend' and entity_id = any($1) and action = 'update' order by entity_id`,
    [[first, second, third].map((spend) => spend?.id)],
  )
  expect(rows.map(({ told }) => told)).toEqual(['sheet import', 'sheet manual', 'sheet manual'])
})
