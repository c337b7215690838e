// Headings of spend sheets that change after a parse, from the sheet to the record: no spend moves to another day or is lost in silence.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CellValue, type GoogleSheetsServer, startGoogleSheetsServer } from '../../../demo/google-sheets-server.ts'
import { createSheetsPool, sheetsPool } from '../../src/integrations/sheets/open-sheets.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { done, type Json } from '../support/entity-calls.ts'
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
  await done(admin, 'PUT', 'integration/sheets', { base_url: google.url, credential: google.credential })
  sheetsPool.fill(server.services, createSheetsPool({ readsPerMinute: 1000, pauseMs: 10 }))
})

const parse = (sheet: Sheet, body?: Record<string, unknown>) => parseByHand({ google, server, admin }, sheet, body)

test('a renamed heading is understood, or named while its spends stay; the preview lists it [SPD-04] [MON-08]', async () => {
  const sheet = await makeSheet({ admin })
  const serve = (last: CellValue, sums: CellValue[] = [100, 100, 100, 100]) =>
    sheet.serve([
      ['Stream', 'Country', 1, 2, 3, last],
      [sheet.stream, sheet.country, ...sums],
    ])
  serve(4)
  await parse(sheet)
  const all = [1, 2, 3, 4].map((day) => `${day} 100.00 sheet`)
  for (const heading of ['4 Mar', '04.03.26', '4 мар', '04/03', 'Mar 4', '04-03']) {
    serve(heading)
    expect(await parse(sheet)).toMatchObject({ status: 'success', rows_removed: 0, rows_unchanged: 4 })
  }
  for (const [heading, key] of [
    ['0', 'sheet_heading_unknown'],
    [32, 'sheet_heading_unknown'],
    ['Fourth', 'sheet_heading_unknown'],
    ['', 'sheet_heading_absent'],
  ] as const) {
    serve(heading)
    const row = await parse(sheet, { allow_removals: true })
    expect(row).toMatchObject({ status: 'warnings', rows_removed: 0 })
    expect(keysOf(row)).toEqual([`F1 ${key}`])
    expect(await spends({ server }, sheet)).toEqual(all)
    const preview = await done(admin, 'POST', `partner_partner_group/${sheet.membership}/preview_sheet`, {
      month: MONTH,
    })
    expect(preview.headings).toEqual(['Stream', 'Country', ...(heading === '' ? [] : [String(heading)])])
  }
  serve('Fourth', [100, 100, '', 100])
  expect(await parse(sheet)).toMatchObject({ rows_removed: 1 })
  expect(await spends({ server }, sheet)).toEqual(all.filter((spend) => !spend.startsWith('3')))
})

test('a second table of a tab is read by its own headings [SPD-04]', async () => {
  const sheet = await makeSheet({ admin }, DAYS)
  sheet.serve([
    ['Stream', 'Country', 1, 2],
    [sheet.stream, sheet.country, 100, 100],
    [],
    ['Stream', 'Country', 3, 4],
    [sheet.stream, sheet.country, 33, 44],
  ])
  expect(await parse(sheet)).toMatchObject({ status: 'success', rows_taken: 4 })
  expect(await spends({ server }, sheet)).toEqual([
    ...['1 100.00 sheet', '2 100.00 sheet', '3 33.00 sheet', '4 44.00 sheet'],
  ])
})

test('a sum that differs from a claim is taken with a warning that names both [MON-06] [SPD-04]', async () => {
  const sheet = await makeSheet({ admin })
  const { net, link } = sheet.ground
  await server.services.postgres.pool.query(
    `insert into partner_spend (stream_id, country_id, date, claim_sum, claim_at, currency_id, offer_partner_id)
      values ($1, $2, $3, 33, now(), $4, $5)`,
    [net.stream.id, net.country.id, DAYS[0], net.currency.id, link.id],
  )
  sheet.serveDays(40)
  for (const changed of [1, 0]) {
    const row = await parse(sheet)
    expect(row).toMatchObject({ status: 'warnings', rows_taken: 1, rows_changed: changed })
    expect(row.warnings as Json[]).toMatchObject([
      { cell: 'C2', key: 'sheet_conflict_claim', values: { sum: '40.00', claim: '33.00' } },
    ])
    expect((row.warnings as Json[])[0]?.message).toContain('33.00')
  }
  sheet.serveDays(33)
  expect(await parse(sheet)).toMatchObject({ status: 'success', rows_changed: 1 })
})

test('a sum is refused if it has an exponent as text, or more than four digits after the point [SPD-04]', async () => {
  const sheet = await makeSheet({ admin })
  sheet.serveDays('1e2', 12.34567, 1e-7, 0.1 + 0.2)
  expect(keysOf(await parse(sheet))).toEqual(['C2 sheet_sum_invalid', 'D2 sheet_sum_precise', 'E2 sheet_sum_precise'])
  expect(await spends({ server }, sheet)).toEqual(['4 0.30 sheet'])
})
