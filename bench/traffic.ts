// Postbacks: how many of the advertisers' are taken a second on one core (each a new player: facts, log and outbox in one transaction), and how
// many of ours reach a healthy partner while a hundred others hang. Sizes by TRAFFIC_SECONDS and TRAFFIC_CALLS.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { loadConfig } from '../server/src/config.ts'
import { createLog } from '../server/src/lib/log.ts'
import { startServer } from '../server/src/server.ts'
import { trackerPart } from '../server/src/tracker/part.ts'
import { startPostbackSender } from '../server/src/tracker/postback-out.ts'
import type { Figure } from './figure.ts'

const SECONDS = Number(process.env.TRAFFIC_SECONDS ?? 10)
const CALLS = Number(process.env.TRAFFIC_CALLS ?? 10_000)
const CONNECTIONS = 128
const HANGING = 100
const WAITING_EACH = 20
const UUID = 'aaaaaaaa-0000-4000-8000-000000000001'

const NETWORK = `
  insert into currency (title, value) values ('Euro', 'EUR');
  insert into country (title, code, currency_id) values ('Ukraine', 'UA', 1);
  insert into traffic_source (title) values ('Source');
  insert into advertiser (title, default_domain, default_currency_id) values ('Advertiser', 'https://advertiser.example', 1);
  insert into advertiser_country (advertiser_id, country_id) values (1, 1);
  insert into offer (title, advertiser_id, advertiser_country_id, payment_model_id, currency_id, cost, state) values ('Offer', 1, 1, 1, 1, 50, 'approved');
  insert into partner (title, state) values ('Partner', 'approved');
  insert into partner_stream (partner_id, title) values (1, 'stream');
  insert into offer_partner (offer_id, partner_id, stream_id, traffic_source_id, site_id, currency_id, state)
    values (1, 1, 1, 1, 'bench-site', 1, 'approved');
  insert into offer_partner_postback (offer_partner_id, uuid, kind) values (1, '${UUID}', 'main')`

export async function run(): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
  const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' })
  const log = createLog(config.logLevel)
  const server = await startServer(config, log, { parts: [trackerPart] })
  try {
    const { pool } = server.services.postgres
    await pool.query(NETWORK)
    const taken = await measureInbound(server.url)
    const sent = await measureOutbound(pool)
    return [
      { name: 'traffic.postbacks_in_per_second', value: taken, unit: '/s' },
      { name: 'traffic.postbacks_out_per_second_beside_hanging', value: sent, unit: '/s' },
    ]
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }

  async function measureOutbound(pool: typeof server.services.postgres.pool): Promise<number> {
    const healthy = await listen((_, response) => response.end('ok'))
    const hanging = await Promise.all(Array.from({ length: HANGING }, () => listen(() => undefined)))
    const fill = (url: string, calls: number) =>
      pool.query(
        `insert into postback (direction, status, method, url, event_type, next_attempt_at)
          select 'out', 'pending', 'GET', $1 || n, 'reg', now() from generate_series(1, $2::int) n`,
        [`${url}/?n=`, calls],
      )
    for (const one of hanging) await fill(one.url, WAITING_EACH)
    await fill(healthy.url, CALLS)
    const began = performance.now()
    const sender = startPostbackSender({ pool, log, allowsInside: true, secret: config.secret, timeoutMs: 2000 })
    const left = `select count(*)::int as left from postback where status = 'pending' and host = $1`
    for (;;) {
      const { rows } = await pool.query<{ left: number }>(left, [new URL(healthy.url).host])
      if (rows[0]?.left === 0) break
      await sleep(50)
    }
    const seconds = (performance.now() - began) / 1000
    await sender.stop()
    for (const { http } of [healthy, ...hanging]) {
      http.closeAllConnections()
      http.close()
    }
    return CALLS / seconds
  }
}

interface Listening {
  http: Server
  url: string
}

async function listen(answer: RequestListener): Promise<Listening> {
  const http = createServer(answer).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  return { http, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
}

/** The load comes from a process of its own; every player is a new one. */
async function measureInbound(url: string): Promise<number> {
  const target = `${url.replace('localhost', '127.0.0.1')}/postback/${UUID}`
  const load = [
    process.execPath,
    join(import.meta.dirname, 'postback-load.ts'),
    target,
    String(CONNECTIONS),
    String(SECONDS),
  ]
  const [program = '', ...rest] = availableParallelism() > 1 ? ['taskset', '-c', '1', ...load] : load
  const { stdout } = await promisify(execFile)(program, rest)
  const { sent, taken, seconds }: { sent: number; taken: number; seconds: number } = JSON.parse(stdout)
  if (taken !== sent) throw new Error(`${sent - taken} of ${sent} postbacks were not taken`)
  return taken / seconds
}
