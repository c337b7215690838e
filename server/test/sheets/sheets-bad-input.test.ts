// Bad spend sheets, one by one: what the log says in words, and that nothing wrong reaches the record.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type CellValue,
  type GoogleSheetsServer,
  type Spreadsheet,
  startGoogleSheetsServer,
} from '../../../demo/google-sheets-server.ts'
import { createSharedSheets, sharedSheets } from '../../src/integrations/sheets/open-sheets.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { done, type Json, makeNetwork, refused, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { files, MONTH, makeSheet, parse as parseByHand, type Sheet, spends } from './sheets-bench.ts'

let google: GoogleSheetsServer
let server: Server
let admin: SignedIn

beforeAll(async () => {
  google = await startGoogleSheetsServer((id) => files[id])
  afterAll(() => google.stop())
  server = await startTestApp({ modules: MODULES, env: { ALLOW_PRIVATE_TARGETS: '1' } })
  admin = await signIn(server, 'ADMIN')
  await done(admin, 'PUT', 'integration/sheets', { base_url: google.url, credential: google.credential })
  sharedSheets.fill(server.services, createSharedSheets({ readsPerMinute: 1000, pauseMs: 10 }))
})

/** 'address: message' of each warning. */
async function parse(sheet: Sheet): Promise<string[]> {
  const row = await parseByHand({ google, server, admin }, sheet)
  return (row.warnings as { cell: string; message: string; remedy: string }[]).map(({ cell, message, remedy }) => {
    expect(remedy).toMatch(/\w/)
    return `${cell}: ${message}`
  })
}

const tab = (rows: CellValue[][], title = '03.2026', id = 0): Spreadsheet['tabs'][number] => ({ id, title, rows })

test('parse, preview and access test name a wrong ID, a missing file and a file that is not shared [SPD-04]', async () => {
  const sheet = await makeSheet({ admin })
  const path = `partner_partner_group/${sheet.membership}`
  const absent = 'There is no such spreadsheet'
  const closed = `The spreadsheet is not shared with ${google.account}`
  const everywhere = async (): Promise<unknown[]> => [
    ...(await parse(sheet)),
    ((await done(admin, 'POST', `${path}/preview_sheet`, { month: MONTH })).warnings as Json[])[0]?.message,
    (await done(admin, 'POST', 'integration/sheets/test_access', { file: sheet.file })).message,
  ]
  expect(await everywhere()).toEqual([`: ${absent}`, absent, absent])
  sheet.serve([], { isShared: false })
  expect(await everywhere()).toEqual([`: ${closed}`, closed, closed])
  for (const wrong of ['https://sheets.example/d/notanid', 'not valid id!', '-_-'])
    for (const where of [path, `partner/${sheet.ground.net.partner.id}`])
      expect(await refused(admin, 'PUT', where, { spend_spreadsheet_id: wrong })).toHaveProperty('spend_spreadsheet_id')
  // Older rows may hold any text.
  const { pool } = server.services.postgres
  await pool.query(`update partner_partner_group set spend_spreadsheet_id = 'notanid!' where id = $1`, [
    sheet.membership,
  ])
  expect(await parse({ ...sheet, file: 'notanid!' })).toEqual([': The ID of the spreadsheet is not valid'])
  expect(await spends({ server }, sheet)).toEqual([])
  // Google promises no length of its IDs.
  const file = 'a1B-2_c'
  await pool.query('update partner_partner_group set spend_spreadsheet_id = $2 where id = $1', [sheet.membership, file])
  files[file] = {
    title: 'Spends',
    locale: 'en_US',
    timeZone: 'UTC',
    tabs: [
      tab([
        ['Stream', 'Country', 1],
        [sheet.stream, sheet.country, 5],
      ]),
    ],
  }
  expect(await parse({ ...sheet, file })).toEqual([])
  expect(await spends({ server }, sheet)).toEqual(['1 5.00 sheet'])
})

test('of 10,000 × 2,000 cells no more is asked for than tells that they are too many, and nothing is taken [SPD-04]', async () => {
  const sheet = await makeSheet({ admin })
  const wide = Array.from({ length: 2000 }, (_, column) => column)
  sheet.serve(Array.from({ length: 10_000 }, (_, row) => (row === 0 ? ['Stream', 'Country', ...wide] : wide)))
  expect(await parse(sheet)).toEqual([': This tab is larger than 10000 rows or 100 columns. Nothing is imported'])
  expect(google.largestAnswer).toBeLessThan(16 * 1024 * 1024)
  expect(await spends({ server }, sheet)).toEqual([])
}, 60_000)

test('two tabs of one month take nothing and are named [SPD-04]', async () => {
  const sheet = await makeSheet({ admin })
  const rows = [
    ['Stream', 'Country', 1],
    [sheet.stream, sheet.country, 5],
  ]
  sheet.serve([], { tabs: [tab(rows), tab(rows, 'Март 2026', 1)] })
  expect(await parse(sheet)).toEqual([
    ': Several tabs are for the month Mar 2026: 03.2026, Март 2026. Nothing is imported',
  ])
  expect(await spends({ server }, sheet)).toEqual([])
})

test('formulas give their values; errors, texts, other people’s streams, negative and huge sums and unknown currencies are named by cell [SPD-04]', async () => {
  const sheet = await makeSheet({ admin })
  const { stream, country } = sheet
  const elsewhere = await makeNetwork(admin)
  const foreign = await done(admin, 'POST', 'partner_stream', {
    partner: elsewhere.partner.id,
    title: unique('Theirs'),
  })
  const theirs = String(foreign.title)
  // Google gives the values of formulas, and dates as serial numbers.
  sheet.serve([
    ['Date', 'Stream', 'Country', 'Sum', 'Currency'],
    [46_082, stream, country, 0.1 + 0.2],
    ['02.03.2026', stream, country, '1 234,50'],
    ['2026-03-03', stream, country, '#DIV/0!'],
    ['the fourth', stream, country, 7],
    ['2026-03-04', stream, country, -7],
    ['2026-03-05', stream, country, 1e12],
    ['2026-03-05', stream, country, 8, 'XYZ'],
    ['2026-03-05', theirs, country, 9],
    ['2026-03-05', stream, 'Atlantis', 9],
    ['2026-03-02', stream, country, 1],
    ['2026-04-02', stream, country, 1],
  ])
  expect((await parse(sheet)).toSorted()).toEqual(
    [
      'D4: The formula shows #DIV/0!',
      'A5: “the fourth” is not a date',
      'D6: -7 is negative',
      'D7: 1000000000000 is more than any spend of a day',
      'E8: The currency “XYZ” is not known here',
      `B9: The partner has no stream “${theirs}”`,
      'C10: The country “Atlantis” is not known here',
      'D11: This stream, country, site and day are already at D3: skipped',
      'A12: “02.04.2026” is not a day of Mar 2026: skipped',
    ].toSorted(),
  )
  expect(await spends({ server }, sheet)).toEqual(['1 0.30 sheet', '2 1234.50 sheet'])
})
