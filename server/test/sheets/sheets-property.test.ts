// Random spend sheets, from Google's answers to the record, while reads fail now and then: the record is the sheet, each cell once.

import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Fault,
  type GoogleSheetsServer,
  type Spreadsheet,
  startGoogleSheetsServer,
} from '../../../demo/google-sheets-server.ts'
import { createSharedSheets, sharedSheets } from '../../src/integrations/sheets/open-sheets.ts'
import { parseFile } from '../../src/integrations/sheets/parse-file.ts'
import type { ParseResult } from '../../src/integrations/sheets/parse-result.ts'
import { keyOfCell } from '../../src/integrations/sheets/place-cells.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { checkTarget, resolveTarget } from '../../src/tracker/postbacks/target-guard.ts'
import { done, makeSpendGround, type SpendGround } from '../support/entity-calls.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'
import { startTestApp } from '../support/harness.ts'
import { signIn } from '../support/sign-in.ts'
import { COUNTRIES, type MadeSheet, type MeantSpend, madeSheet, STREAMS } from './sheet-grids.ts'

const FILE = 'a-sheet-of-random-cells'
const MONTH = '2026-04'
/** Warnings of a parse that takes nothing unless removals are allowed. */
const TAKES_NOTHING: ReadonlySet<string> = new Set(['sheet_removes_much', 'sheet_sites_gone'])
const signal = new AbortController().signal

let google: GoogleSheetsServer
let server: Server
let ground: SpendGround
let served: Spreadsheet | undefined

beforeAll(async () => {
  google = await startGoogleSheetsServer(() => served)
  afterAll(() => google.stop())
  server = await startTestApp({ modules: MODULES, env: { ALLOW_PRIVATE_TARGETS: '1' } })
  const admin = await signIn(server, 'ADMIN')
  ground = await makeSpendGround(admin, [])
  const { partner, currency } = ground.net
  await done(admin, 'PUT', 'setting/1', { report_currency: currency.id })
  for (const title of STREAMS) await done(admin, 'POST', 'partner_stream', { partner: partner.id, title })
  for (const code of new Set(Object.values(COUNTRIES))) {
    const country = await done(admin, 'POST', 'country', { title: `Land ${code}`, code, currency: currency.id })
    for (const [title, of] of Object.entries(COUNTRIES))
      if (of === code && title.toUpperCase() !== code)
        await done(admin, 'POST', 'country_mapping', { country: country.id, title })
  }
  await done(admin, 'PUT', 'integration/sheets', { base_url: google.url, credential: google.credential })
})

const serve = ({ grid, locale }: MadeSheet): void => {
  served = { title: 'Spends', locale, timeZone: 'UTC', tabs: [{ ...grid, merges: [...grid.merges] }] }
}

/** Every spend is accepted: the rules of spends are not the matter here. */
async function parse(takesRemovals: boolean): Promise<ParseResult> {
  const partner = ground.net.partner.id
  const task = { partner, group: null, file: FILE, months: [MONTH], startedBy: null, requestId: '', takesRemovals }
  const options = {
    guard: { check: checkTarget, resolve: resolveTarget },
    allowsPrivateTargets: true,
    currency: ground.net.currency.id,
    judge: async (cells: readonly { cell: Parameters<typeof keyOfCell>[0] }[]) =>
      new Map(cells.map(({ cell }) => [keyOfCell(cell), { offerPartner: ground.link.id }])),
    isPatient: false,
    onStep: () => undefined,
  }
  const [result] = (await parseFile(server.services, { ...task, trigger: 'manual' }, options, signal)) ?? []
  if (result === undefined) throw new Error('the file was locked')
  return result
}

const write = ({ stream, country, site, date, sum }: MeantSpend): string =>
  `${stream}|${country}|${site}|${date}|${sum}`
const keyOf = ({ stream, country, site, date }: Omit<MeantSpend, 'sum'>): string =>
  `${stream}|${country}|${site}|${date}|`

/** The record: 'stream|country|site|date|sum' of each row. */
async function read(): Promise<string[]> {
  const { rows } = await server.services.postgres.pool.query<MeantSpend>(
    `select t.title as stream, c.code as country, s.site_id as site, s.date, s.sum from partner_spend s
      join partner_stream t on t.id = s.stream_id join country c on c.id = s.country_id where s.source = 'sheet' and s.sheet_file = $1`,
    [FILE],
  )
  return rows.map(write).sort()
}

const faults = fc.array(fc.constantFrom<Fault>({ status: 429 }, { status: 503 }, { status: 500 }, 'cut', 'cut json'), {
  maxLength: 4,
})

test('parsed twice is once, and after any edits the record is the sheet, while 429, 503, cut answers and a revoked key come in between [MON-08]', async () => {
  await fc.assert(
    fc.asyncProperty(madeSheet(MONTH), madeSheet(MONTH), faults, async (first, second, failing) => {
      sharedSheets.fill(server.services, createSharedSheets({ readsPerMinute: 1e6, pauseMs: 0.1 }))
      const { pool } = server.services.postgres
      await pool.query('delete from partner_spend')
      serve(first)
      google.fail(...failing)
      expect(await parse(false)).toMatchObject({ rowsTaken: first.spends.length, calls: 2 + failing.length })
      const taken = first.spends.map(write).sort()
      expect(await read()).toEqual(taken)
      expect(await parse(false)).toMatchObject({ rowsChanged: 0, rowsRemoved: 0, rowsUnchanged: taken.length })
      expect(await read()).toEqual(taken)

      serve(second)
      google.revoke()
      expect((await parse(true)).warnings.map(({ key }) => key)).toEqual(['sheet_file_key_refused'])
      expect(await read()).toEqual(taken)
      google.revoke(false)
      google.fail(...failing.toReversed())
      const careful = await parse(false)
      const kept = new Set(second.spoiled.map(keyOf))
      const given = new Set(second.spends.map(keyOf))
      const stays = first.spends.filter(
        (spend) => kept.has(keyOf(spend)) || (second.unreadDays.has(spend.date) && !given.has(keyOf(spend))),
      )
      const expected = [...second.spends, ...stays].map(write).sort()
      expect(await read()).toEqual(careful.warnings.some(({ key }) => TAKES_NOTHING.has(key)) ? taken : expected)
      await parse(true)
      expect(await read()).toEqual(expected)
    }),
    { numRuns: fuzzRuns(8) },
  )
})
