// Spends that belong to no agency offer: the queue beside the table and the checklist of a close find the same ones.

import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import {
  done,
  ENTITY_MODULES,
  idsOf,
  type Json,
  makeNetwork,
  makeSpendGround,
  unique,
} from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { day, MONTH, payByCpa } from './spend-table-calls.ts'

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
})

test('a spend without a partner offer of its own is judged by that of its place, in the queue and in the checklist, whose link opens what it counts [ENT-12] [MON-01]', async () => {
  const agency = await makeSpendGround(admin, [day(1)])
  const { net, link } = await makeSpendGround(admin, [day(1)], agency.net)
  await payByCpa(server, { net, link, spend: {} as never })
  const { country: elsewhere } = await makeNetwork(admin)
  const store = async (stream: Json, country: Json, date: string, offerPartner: unknown): Promise<number> => {
    const { rows } = await server.services.postgres.pool.query<{ id: number }>(
      'insert into partner_spend (stream_id, country_id, date, sum, currency_id, offer_partner_id) values ($1, $2, $3, 5, $4, $5) returning id',
      [stream.id, country.id, date, net.currency.id, offerPartner],
    )
    return rows[0]?.id ?? 0
  }
  await store(agency.net.stream, net.country, day(1), null)
  await store(agency.net.stream, net.country, day(2), agency.link.id)
  const left = [
    await store(net.stream, net.country, day(1), null),
    await store(net.stream, net.country, day(2), link.id),
    await store(net.stream, elsewhere, day(3), null),
  ]
  const queue = await done(admin, 'GET', `partner_spend/missing?partner=${net.partner.id}&month=${MONTH}`)
  expect(queue).toMatchObject({ left_count: 3 })
  expect((queue.left as Json[]).map(({ id, model }) => [id, model])).toEqual(
    left.map((id, at) => [id, at === 2 ? null : 'CPA']).toReversed(),
  )
  const group = await done(admin, 'POST', 'partner_group', { title: unique('Left') })
  await done(admin, 'POST', 'partner_partner_group', { partner: net.partner.id, partner_group: group.id })
  const { items } = await done(admin, 'GET', `period_close/checklist?month=${MONTH}&partner_group=${group.id}`)
  const check = (items as { code: string; count: number; link: string }[]).find(
    ({ code }) => code === 'spend_unallocated',
  )
  expect(check?.count).toBe(3)
  const opened = await done(admin, 'GET', `partner_spend?${check?.link.split('?')[1]}`)
  expect(idsOf(opened).toSorted((a, b) => a - b)).toEqual(left)
})
