// Counts how often a save reads its row: for the lock, and for the answer.

import type { PoolClient } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import type { Server } from '../../src/server.ts'
import {
  DETAILED,
  done,
  ENTITY_MODULES,
  type Json,
  linkOf,
  makeNetwork,
  type Network,
  unique,
} from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

let server: Server
let admin: SignedIn
let net: Network
const sent: string[] = []

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  net = await makeNetwork(admin)
  watch()
})

/** Records the text of every statement of the pool's connections. */
function watch(): void {
  const watched = new WeakSet<PoolClient>()
  server.services.postgres.pool.on('acquire', (client) => {
    if (watched.has(client)) return
    watched.add(client)
    const send = client.query.bind(client)
    Object.assign(client, {
      query: (statement: { text: string } | string, values?: unknown[]) => {
        sent.push(typeof statement === 'string' ? statement : statement.text)
        return Reflect.apply(send, undefined, [statement, values])
      },
    })
  })
}

/** Statements that read the entity's row by its id. */
const readsOf = (name: string): string[] =>
  sent.filter(
    (text) => text.startsWith('select') && new RegExp(`from "${name}" as t where .*"?t"?\\."?id"? = \\$\\d`).test(text),
  )

async function countReads(name: string, id: number, body: unknown): Promise<number> {
  sent.length = 0
  await done(admin, 'PUT', `${name}/${id}`, body, DETAILED)
  return readsOf(name).length
}

test('a change reads its row twice, however many unchanged fields the request contains [ENT-24]', async () => {
  const link = await done(admin, 'POST', 'offer_partner', linkOf(net))
  const rows: [string, number, Json][] = [
    ['landing', net.landing.id, { title: unique('L') } as unknown as Json],
    ['offer', net.offer.id, { title: unique('O') } as unknown as Json],
    ['partner', net.partner.id, { team_name: unique('T') } as unknown as Json],
    [
      'offer_partner',
      link.id,
      { advertiser_link_template: 'https://a.test/{landing}?c={click_id}' } as unknown as Json,
    ],
  ]
  for (const [name, id, change] of rows) {
    expect(await countReads(name, id, change), `${name}, one field`).toBe(2)
    const whole = await done(admin, 'GET', `${name}/${id}`, undefined, DETAILED)
    const again = Object.fromEntries(Object.entries(change).map(([field, value]) => [field, `${String(value)}2`]))
    expect(await countReads(name, id, { ...whole, ...again }), `${name}, the whole row`).toBe(2)
    expect(await done(admin, 'GET', `${name}/${id}`)).toMatchObject(again)
  }
})

test('a row of a collection is read once, for its lock [FORM-09]', async () => {
  const { id } = await done(admin, 'POST', 'partner', {
    title: unique('P'),
    streams: [{ title: unique('A') }, { title: unique('B') }],
  })
  const { streams } = await done(admin, 'GET', `partner/${id}`)
  sent.length = 0
  await done(admin, 'PUT', `partner/${id}`, {
    streams: (streams as Json[]).map((row) => ({ ...row, title: unique('C') })),
  })
  expect(readsOf('partner_stream')).toHaveLength(2)
  expect(readsOf('partner')).toHaveLength(2)
})

test('the audit log contains the stored change, including values of other tables [ENT-24]', async () => {
  const { id } = await done(admin, 'POST', 'partner_tag', { title: unique('Tag') })
  await done(admin, 'PUT', `partner/${net.partner.id}`, { tags: [id], team_name: '  trimmed ' })
  const { rows } = await server.services.postgres.pool.query<{ after: Json }>(
    `select after from audit_log where entity = 'partner' and entity_id = $1 and action = 'update' order by id desc limit 1`,
    [net.partner.id],
  )
  const now = await done(admin, 'GET', `partner/${net.partner.id}`)
  expect(rows[0]?.after).toMatchObject({ tags: [id], team_name: 'trimmed', version: now.version })
})
