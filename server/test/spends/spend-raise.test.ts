// A spend of a day without activity may be lowered or cleared, but not raised: in the table, in the form and by an import.

import { beforeEach, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import { ask, done, ENTITY_MODULES, makeSpendGround, type SpendGround } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { sendImport } from './spend-import-calls.ts'
import { cellOf, day, save, tableOf } from './spend-table-calls.ts'

let server: Server
let admin: SignedIn
let own: SpendGround

beforeEach(async () => {
  server ??= await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  own = await makeSpendGround(admin, [day(1)])
})

interface Stored {
  sum: string | null
  claim?: string
  source?: string
  active?: boolean
}

/** A spend as it stands after the activity of its day is gone. */
async function store(date: string, { sum, claim, source = 'manual', active = true }: Stored): Promise<number> {
  const { rows } = await server.services.postgres.pool.query<{ id: number }>(
    `insert into partner_spend (stream_id, country_id, date, sum, currency_id, source, active, offer_partner_id, claim_sum, claim_currency_id, claim_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, case when $9::numeric is not null then $5::int end, case when $9::numeric is not null then now() end)
      returning id`,
    [own.net.stream.id, own.net.country.id, date, sum, own.net.currency.id, source, active, own.link.id, claim ?? null],
  )
  return rows[0]?.id ?? 0
}

const REFUSED = 'There were no clicks, registrations or deposits of this stream in this country on that day'
const codesOf = ({ refused }: { refused: { date: string; code: string; message: string }[] }) =>
  refused.map(({ date, code, message }) => `${date} ${code} ${message}`)

test('the table lowers and clears sums of days without activity, and refuses to raise them [SPD-03] [MON-07]', async () => {
  for (const number of [2, 3, 4, 5]) await store(day(number), { sum: '10' })
  await store(day(6), { sum: '10', active: false })
  const { currency: second } = (await makeSpendGround(admin, [])).net
  const answer = await save(admin, own, [
    { date: day(2), base: '10.01' },
    { date: day(3), base: '9' },
    { date: day(4), base: null },
    { date: day(5), base: '10' },
    { date: day(6), base: '1' },
  ])
  expect(codesOf(answer)).toEqual([2, 6].map((number) => `${day(number)} spend_without_activity ${REFUSED}`))
  const table = await tableOf(admin, own)
  const shown = [2, 3, 4, 5].map((number) => cellOf(table, own, day(number)).base)
  expect(shown).toEqual(['10.0000', '9.0000', null, '10.0000'])
  // A cell that may be lowered is open; one that holds nothing is locked.
  expect([3, 4, 6].map((number) => cellOf(table, own, day(number)).reason)).toEqual([
    null,
    'spend_without_activity',
    'spend_without_activity',
  ])
  // Another currency may be more.
  const changed = await save(admin, own, [{ date: day(3), base: '9', currency: Number(second.id) }])
  expect(codesOf(changed)).toEqual([`${day(3)} spend_without_activity ${REFUSED}`])
})

test('the form lowers and keeps a sum of a day without activity, and refuses to raise it or to switch it on [SPD-03]', async () => {
  const id = await store(day(2), { sum: '10' })
  const path = `partner_spend/${id}`
  const refusal = async (body: object): Promise<unknown> => (await ask(admin, 'PUT', path, body)).body.formErrors
  expect(await refusal({ sum: '11' })).toEqual({ date: [REFUSED] })
  expect(await refusal({ sum: '11', active: true })).toEqual({ date: [REFUSED] })
  const { currency: second } = (await makeSpendGround(admin, [])).net
  expect(await refusal({ currency: second.id })).toEqual({ date: [REFUSED] })
  expect(await done(admin, 'PUT', path, { sum: '10.00' })).toMatchObject({ sum: '10.0000' })
  expect(await done(admin, 'PUT', path, { sum: '9' })).toMatchObject({ sum: '9.0000' })
  await done(admin, 'PUT', path, { active: false })
  expect(await refusal({ active: true })).toEqual({ date: [REFUSED] })
  await done(admin, 'DELETE', path)
})

test('a claim of a day that has lost its activity is accepted and lowered, and neither the claim nor the sum grows beyond it [SPD-03] [MON-06]', async () => {
  const self = await signIn(server, 'PARTNER', own.net.partner.id)
  await server.services.postgres.pool.query('update setting set spend_claim_days = 100')
  const id = await store(day(2), { sum: null, claim: '10' })
  expect((await ask(self, 'PUT', `partner_spend/${id}`, { sum: '11' })).body.formErrors).toEqual({ date: [REFUSED] })
  expect((await ask(admin, 'PUT', `partner_spend/${id}`, { sum: '11' })).body.formErrors).toEqual({ date: [REFUSED] })
  expect(await done(self, 'PUT', `partner_spend/${id}`, { sum: '8' })).toMatchObject({ claim_sum: '8.0000' })
  expect(await done(admin, 'PUT', 'partner_spend/accept', { ids: [id] })).toMatchObject({ accepted: 1 })
})

test('an import lowers sums of days without activity and refuses to raise them [SPD-02] [SPD-03]', async () => {
  for (const number of [2, 3, 4]) await store(day(number), { sum: '10', source: 'import' })
  const { stream, country, currency } = own.net
  const lines = [11, 9, 10].map((sum, at) =>
    [day(at + 2), stream.title, country.title, sum, currency.value].map(String).join(';'),
  )
  const content = ['Date;Stream;Country;Sum;Currency', ...lines].join('\n')
  const { body } = await sendImport(server, { person: admin, query: 'dry_run=0' }, content)
  expect(body).toMatchObject({ new: 0, changed: 1, equal: 1 })
  expect(body.refused).toEqual([{ cell: 'D2', code: 'spend_without_activity', message: REFUSED }])
})
