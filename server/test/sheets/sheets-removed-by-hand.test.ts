// A sum of a sheet that somebody removes by hand: it comes back with the next parse, which the answer says.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type GoogleSheetsServer, startGoogleSheetsServer } from '../../../demo/google-sheets-server.ts'
import { createSharedSheets, sharedSheets } from '../../src/integrations/sheets/open-sheets.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { done, type Json } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { DAYS, files, MONTH, makeSheet, parse, spends } from './sheets-bench.ts'

let google: GoogleSheetsServer
let server: Server
let admin: SignedIn

beforeAll(async () => {
  google = await startGoogleSheetsServer((id) => files[id])
  afterAll(() => google.stop())
  server = await startTestApp({ modules: MODULES, env: { ALLOW_PRIVATE_TARGETS: '1' } })
  admin = await signIn(server, 'ADMIN')
  // The clock of this machine starts nothing by itself.
  await server.services.postgres.pool.query(
    `insert into sheet_run (kind, due_at, files) values ('daily', '2998-01-01', 0), ('monthly', '2998-01-01', 0)`,
  )
  await done(admin, 'PUT', 'integration/sheets', { base_url: google.url, credential: google.credential })
})

beforeEach(() => {
  sharedSheets.fill(server.services, createSharedSheets({ readsPerMinute: 1000, pauseMs: 10 }))
})

test('a cell of a sheet emptied by hand says that the sheet writes it again, which it does [SPD-01] [MON-08]', async () => {
  const sheet = await makeSheet({ admin })
  const { net } = sheet.ground
  sheet.serveDays(10, 20, 30)
  await parse({ google, server, admin }, sheet)
  await done(admin, 'POST', 'partner_spend', { ...sheet.ground.spend, date: DAYS[4], sum: '50' })
  const place = { stream: net.stream.id, country: net.country.id }
  const answer = await done(admin, 'PUT', 'partner_spend/update_table', {
    partner: net.partner.id,
    month: MONTH,
    cells: [DAYS[1], DAYS[3], DAYS[4]].map((date) => ({ ...place, date, base: null })),
  })
  expect(answer).toMatchObject({ saved: 3, refused: [] })
  expect(answer.warnings).toEqual([
    {
      ...place,
      site_id: null,
      date: DAYS[1],
      code: 'spend_returns_from_sheet',
      message: `20.00 ${String(net.currency.value)} is removed here, but it is still in the sheet, and the next parse adds it again. Empty the cell in the sheet, too`,
    },
  ])
  expect(await spends({ server }, sheet)).toEqual(['1 10.00 sheet', '3 30.00 sheet'])
  await parse({ google, server, admin }, sheet)
  expect(await spends({ server }, sheet)).toEqual(['1 10.00 sheet', '2 20.00 sheet', '3 30.00 sheet'])
})

test('a total that removes a sum of a sheet says that the sheet writes it again [SPD-01] [MON-08]', async () => {
  const { ground } = await makeSheet({ admin }, DAYS.slice(0, 1))
  const { net } = ground
  // The second day takes no spend any more.
  await server.services.postgres.pool.query(
    `insert into partner_spend (stream_id, country_id, date, sum, currency_id, source, offer_partner_id)
      select $1, $2, day, 10, $3, 'sheet', $4 from unnest($5::date[]) as day`,
    [net.stream.id, net.country.id, net.currency.id, ground.link.id, DAYS.slice(0, 2)],
  )
  const { warnings } = await done(admin, 'PUT', 'partner_spend/update_spend_by_stream_and_country', {
    stream: net.stream.id,
    country: net.country.id,
    month: MONTH,
    base: '100',
  })
  expect((warnings as Json[]).map(({ date, code }) => [date, code].join(' '))).toEqual([
    `${DAYS[0]} spend_replaces_sheet`,
    `${DAYS[1]} spend_returns_from_sheet`,
  ])
})
