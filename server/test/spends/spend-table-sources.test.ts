// The spend table: what a saved or emptied cell says of sums of other sources, and of claims.

import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { ENTITY_MODULES, makeSpendGround } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { cellOf, day, save, tableOf } from './spend-table-calls.ts'

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
})

test('a sum entered by hand replaces one from an import or sheet, and the warning names both; an equal claim is accepted [MON-06]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2), day(3), day(4)])
  await save(
    admin,
    own,
    [1, 2].map((number) => ({ date: day(number), base: '5' })),
  )
  const { pool } = server.services.postgres
  await pool.query(
    `update partner_spend set source = case date when $2::date then 'import' else 'sheet' end where stream_id = $1`,
    [own.net.stream.id, day(1)],
  )
  const { rows: entered } = await pool.query('select currency_id as id from partner_spend where stream_id = $1', [
    own.net.stream.id,
  ])
  for (const [date, claim] of [
    [day(3), 7],
    [day(4), 8],
  ])
    await pool.query(
      `insert into partner_spend (stream_id, country_id, date, claim_sum, claim_currency_id, claim_by_id, claim_at, currency_id, offer_partner_id)
        values ($1, $2, $3, $4, $6, $5, now(), $6, $7)`,
      [own.net.stream.id, own.net.country.id, date, claim, admin.id, entered[0].id, own.link.id],
    )
  const answer = await save(admin, own, [
    { date: day(1), base: '6', version: 2 },
    { date: day(2), base: '6', version: 2 },
    { date: day(3), base: '7', version: 1 },
    { date: day(4), base: '9', version: 1 },
  ])
  expect(answer).toMatchObject({ saved: 4, refused: [] })
  expect(answer.warnings.map(({ code, message }) => [code, message.replace(/ E\w+/g, ' EUR')])).toEqual([
    ['spend_replaces_import', '6.00 EUR entered by hand replaces 5.00 EUR from an import'],
    ['spend_replaces_sheet', '6.00 EUR replaces 5.00 EUR from a sheet'],
    ['spend_conflict', 'The sum is now 9.00 EUR, the partner claims 8.00 EUR: accept the claim, or empty it'],
  ])
  const { rows } = await pool.query(
    'select date, sum, claim_sum, accepted_by_id, source, state from partner_spend where stream_id = $1 order by date',
    [own.net.stream.id],
  )
  expect(rows.map(({ state, source }) => [state, source])).toEqual([
    ['accepted', 'manual'],
    ['accepted', 'manual'],
    ['accepted', 'manual'],
    ['disputed', 'manual'],
  ])
  expect(rows[2]).toMatchObject({ sum: '7.0000', claim_sum: null, accepted_by_id: admin.id })
  await save(admin, own, [{ date: day(4), base: null, version: 2 }])
  expect(cellOf(await tableOf(admin, own), own, day(4))).toMatchObject({ base: null, claimed: '8.0000' })
})
