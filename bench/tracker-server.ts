// The product's own server with the tracker alone (or whole: --whole), its PostgreSQL beside it: uniqueness, country and bot check on, commit
// before answer.

import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../server/src/config.ts'
import { createLog } from '../server/src/lib/log.ts'
import { MODULES } from '../server/src/modules.ts'
import { startServer } from '../server/src/server.ts'
import { openOfferPartnerIndex } from '../server/src/tracker/links/offer-partner-index.ts'
import { trackerModule } from '../server/src/tracker/module.ts'
import { LINK, NETWORK } from './network.ts'

const OFFER_PARTNERS = 200_000
const CHANGES = 100

const MANY_OFFER_PARTNERS = `set session_replication_role = replica;
  insert into offer_partner (offer_id, partner_id, stream_id, traffic_source_id, site_id, promo_codes, currency_id, state)
    select 1 + n % 300, 1 + n % 400, 1 + n % 400, 1, 'site-' || n, array['CODE' || n], 1, 'approved' from generate_series(2, ${OFFER_PARTNERS}) n;
  insert into offer_partner_landing select id, 1 from offer_partner where id % 2 = 0;
  set session_replication_role = default;`

const config = loadConfig(process.env)
const log = createLog(config.logLevel)
const server = await startServer(config, log, { modules: process.argv.includes('--whole') ? MODULES : [trackerModule] })
const { postgres } = server.services
if (process.argv.includes('--network')) await postgres.pool.query(NETWORK)
if (process.argv.includes('--links')) {
  console.log(`memory ${await measureIndex()}`)
  console.log(`slowest ${await measureChanges()}`)
}
console.log(`ready ${server.url.replace('localhost', '127.0.0.1')}`)
process.once('SIGTERM', () => void server.stop().then(() => process.exit(0)))

/** Memory of the index of 200,000 partner offers, in bytes. */
async function measureIndex(): Promise<number> {
  await postgres.withClient((client) => client.query(MANY_OFFER_PARTNERS))
  collect()
  const before = process.memoryUsage()
  const index = await openOfferPartnerIndex(postgres, log)
  collect()
  const after = process.memoryUsage()
  if (index.size < OFFER_PARTNERS) throw new Error(`the index holds ${index.size} links only`)
  await index.stop()
  return after.heapUsed + after.external - before.heapUsed - before.external
}

/** Milliseconds until the slowest of some changes of a partner offer is known to each of two trackers. */
async function measureChanges(): Promise<number> {
  const indexes = [await openOfferPartnerIndex(postgres, log), await openOfferPartnerIndex(postgres, log)]
  let slowest = 0
  for (let change = 0; change < CHANGES; change++) {
    const isOn = change % 2 === 1
    await postgres.pool.query('update offer_partner set active = $1 where uuid = $2', [isOn, LINK])
    const committed = performance.now()
    while (indexes.some((index) => (index.find(LINK)?.closed === null) !== isOn)) await sleep(1)
    slowest = Math.max(slowest, performance.now() - committed)
  }
  for (const index of indexes) await index.stop()
  return slowest
}

function collect(): void {
  if (globalThis.gc === undefined) throw new Error('start with --expose-gc')
  for (let round = 0; round < 3; round++) globalThis.gc()
}
