// A claim keeps its own currency: it is compared, warned of, accepted and left in it, whatever way the accepted sum comes.

import type { SpendImport } from '@tributary/contract/calls/spend-import'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import {
  ask,
  done,
  ENTITY_MODULES,
  type Json,
  makeSpendGround,
  type SpendGround,
  unique,
} from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { cellOf, day, MONTH, save, TODAY, tableOf } from './spend-table-calls.ts'

let server: Server
let admin: SignedIn
/** In which the partner claims, without any rate. */
let tenge: Json
/** The report currency. */
let standard: Json

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  tenge = await done(admin, 'POST', 'currency', { title: unique('Tenge'), value: `K${Date.now() % 100_000}` })
  standard = await done(admin, 'POST', 'currency', { title: unique('Money'), value: `M${Date.now() % 100_000}` })
  await done(admin, 'PUT', 'setting/1', { report_currency: standard.id })
})

async function claim({ net, link }: SpendGround, date: string, sum: number): Promise<number> {
  const { rows } = await server.services.postgres.pool.query<{ id: string }>(
    `insert into partner_spend (stream_id, country_id, date, claim_sum, claim_currency_id, claim_at, currency_id, offer_partner_id)
      values ($1, $2, $3, $4, $5, now(), $5, $6) returning id`,
    [net.stream.id, net.country.id, date, sum, tenge.id, link.id],
  )
  return Number(rows[0]?.id)
}

const read = async (id: number): Promise<string> => {
  const spend = (await done(admin, 'GET', `partner_spend/${id}`)) as Record<string, Json | string | null>
  const show = (sum: unknown, currency: unknown) =>
    sum === null ? '-' : `${Number(sum)} ${(currency as Json).id === tenge.id ? 'tenge' : 'standard'}`
  return `${show(spend.sum, spend.currency)}, claim ${show(spend.claim_sum, spend.claim_currency)}`
}

const warningOf = (sum: number, claimed: number) =>
  `The sum is now ${sum}.00 ${String(standard.value)}, the partner claims ${claimed}.00 ${String(tenge.value)}: accept the claim, or empty it`

test('a claim keeps its currency when staff enter a sum or a currency, and is accepted in its own [MON-06]', async () => {
  const own = await makeSpendGround(admin, [TODAY])
  const self = await signIn(server, 'PARTNER', own.net.partner.id)
  const claimed = await done(self, 'POST', 'partner_spend', {
    ...own.spend,
    date: TODAY,
    sum: '50',
    currency: tenge.id,
  })
  expect(claimed).toMatchObject({ sum: null, claim_sum: '50.0000', claim_currency: { id: tenge.id } })
  const id = Number(claimed.id)
  const put = (person: SignedIn, body: Record<string, unknown>) => done(person, 'PUT', `partner_spend/${id}`, body)
  expect((await ask(admin, 'PUT', `partner_spend/${id}`, { claim_currency: standard.id })).status).toBe(422)
  await put(admin, { currency: standard.id })
  expect(await read(id)).toBe('-, claim 50 tenge')
  const entered = await put(admin, { sum: '50', currency: standard.id })
  expect(entered).toMatchObject({
    state: 'disputed',
    notices: [{ code: 'spend_conflict', message: warningOf(50, 50) }],
  })
  expect(await read(id)).toBe('50 standard, claim 50 tenge')
  expect(await done(admin, 'PUT', 'partner_spend/accept', { ids: [id] })).toMatchObject({ accepted: 1 })
  expect(await read(id)).toBe('50 tenge, claim -')
  const { rows } = await server.services.postgres.pool.query(
    `select after ->> 'currency' as currency, after ->> 'claim_currency' as claimed from audit_log
      where entity = 'partner_spend' and entity_id = $1 order by id desc limit 1`,
    [id],
  )
  expect(rows).toEqual([{ currency: String(tenge.id), claimed: null }])
  // The partner claims another currency, then what was accepted.
  await put(self, { claim_sum: '50', claim_currency: standard.id })
  expect(await read(id)).toBe('50 tenge, claim 50 standard')
  await put(self, { claim_currency: tenge.id })
  expect(await read(id)).toBe('50 tenge, claim -')
  // A currency that staff choose may make the sum equal to the claim.
  await put(self, { claim_sum: '50', claim_currency: standard.id })
  expect(await put(admin, { currency: standard.id })).toMatchObject({
    state: 'accepted',
    accepted_by: { id: admin.id },
  })
  expect(await read(id)).toBe('50 standard, claim -')
})

test('the table types in the currency of the place, not of the claim, and shows both [MON-06] [MON-07]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2), day(3)])
  const id = await claim(own, day(2), 50)
  const empty = cellOf(await tableOf(admin, own), own, day(2))
  expect(empty).toMatchObject({ claimed: '50.0000', claim_currency: tenge.value, currency: standard.value })
  expect((await save(admin, own, [{ date: day(2), base: '50' }])).warnings).toMatchObject([
    { code: 'spend_conflict', message: warningOf(50, 50) },
  ])
  expect(await read(id)).toBe('50 standard, claim 50 tenge')
  await save(admin, own, [{ date: day(2), base: null }])
  expect(await read(id)).toBe('-, claim 50 tenge')
  // The latest accepted sum of the place chooses the currency, not a later claim.
  await done(admin, 'POST', 'partner_spend', { ...own.spend, date: day(1), currency: tenge.id })
  await save(admin, own, [{ date: day(2), base: '50' }])
  expect(await read(id)).toBe('50 tenge, claim -')
  await save(admin, own, [{ date: day(2), base: '50', currency: Number(standard.id) }])
  expect(await read(id)).toBe('50 standard, claim -')
  expect((await save(admin, own, [{ date: day(2), base: '51', currency: 999_999 }])).refused).toMatchObject([
    { code: 'reference_missing' },
  ])
})

test('a month’s total warns of an open claim, and accepts it in its own currency alone [MON-06] [SPD-01]', async () => {
  const own = await makeSpendGround(admin, [day(2)])
  const id = await claim(own, day(2), 50)
  const spread = (currency: Json) =>
    done(admin, 'PUT', 'partner_spend/update_spend_by_stream_and_country', {
      stream: own.net.stream.id,
      country: own.net.country.id,
      month: MONTH,
      base: '50',
      currency: currency.id,
    })
  expect(await spread(standard)).toMatchObject({
    saved: 1,
    warnings: [{ date: day(2), code: 'spend_conflict', message: warningOf(50, 50) }],
  })
  expect(await read(id)).toBe('50 standard, claim 50 tenge')
  expect(await spread(tenge)).toMatchObject({ warnings: [] })
  expect(await read(id)).toBe('50 tenge, claim -')
})

test('an import compares a claim in its own currency [MON-06] [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [day(2)])
  const id = await claim(own, day(2), 50)
  const send = async (sum: string, currency: string) => {
    const form = new FormData()
    const { stream, country } = own.net
    const text = `Date;Stream;Country;Sum;Currency\n${day(2)};${String(stream.title)};${String(country.title)};${sum};${currency}`
    form.append('file', new Blob([text]), 'spends.csv')
    const answer = await fetch(`${server.url}/api/partner_spend/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}` },
      body: form,
    })
    const { warnings } = (await answer.json()) as SpendImport
    return warnings.map(({ message }) => message)
  }
  expect(await send('45', '')).toEqual([warningOf(45, 50)])
  expect(await send('50', String(standard.value))).toEqual([warningOf(50, 50)])
  expect(await read(id)).toBe('50 standard, claim 50 tenge')
  expect(await send('50', String(tenge.value))).toEqual([])
  expect(await read(id)).toBe('50 tenge, claim -')
})

test('claims accepted in bulk keep their currencies [MON-06]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2)])
  const ids = [await claim(own, day(1), 10), await claim(own, day(2), 20)]
  await save(admin, own, [{ date: day(2), base: '20' }])
  expect(await done(admin, 'PUT', 'partner_spend/accept', { ids })).toMatchObject({ accepted: 2 })
  expect(await Promise.all(ids.map(read))).toEqual(['10 tenge, claim -', '20 tenge, claim -'])
})

test('a new sum takes the currency that was chosen for it; the rates of all currencies are there [SPD-01]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2)])
  const { currencies, rates } = await tableOf(admin, own)
  const [first, second] = currencies
  if (first === undefined || second === undefined) throw new Error('there are too few currencies')
  expect(currencies.map(({ value }) => value).filter((value) => !(value in rates))).toEqual([])
  const refused = await save(admin, own, [{ date: day(1), base: '1', currency: 999_999 }])
  expect(refused.refused).toMatchObject([{ code: 'reference_missing' }])
  await save(admin, own, [
    { date: day(1), base: '1', currency: first.id },
    { date: day(2), base: '1', currency: second.id },
  ])
  const table = await tableOf(admin, own)
  expect([1, 2].map((number) => cellOf(table, own, day(number)).currency)).toEqual([first.value, second.value])
})
