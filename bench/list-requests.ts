// Lists under load: a page of 20 with its total by 16 connections, compared with bare node:http and pg, in turns. Server and PostgreSQL are on the
// first core, the load on the other. 3,000 offers; 200,000 players, of which one partner has 18,780.

import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataDirectory } from './data-directory.ts'
import { type Figure, median } from './figure.ts'
import { NETWORK } from './network.ts'
import { pin, type Started, start } from './pinned.ts'
import { recordUrl, withRecord } from './record.ts'
import { ADMIN_ENV, signIn } from './whole-server.ts'

const CONNECTIONS = 16
const SECONDS = 5
const ROUNDS = 3
const TOOL = join(import.meta.dirname, '../node_modules/.bin/autocannon')

const ROWS = `${NETWORK}
  insert into offer (title, advertiser_id, advertiser_country_id, payment_model_id, currency_id, cost, state)
    select 'Offer ' || n, 1, 1, 1, 1, 50, 'approved' from generate_series(301, 3000) n;
  set session_replication_role = replica;
  insert into player (outer_id, registered_at, advertiser_id, offer_id, offer_partner_id, partner_id, stream_id, traffic_source_id, actual_country_id)
    select 'player-' || n, now() - n * interval '1 minute', 1, 1, 1, case when n <= 18780 then 1 else 2 + n % 399 end, 1, 1, 1
    from generate_series(1, 200000) n;
  set session_replication_role = default;
  vacuum analyze`

/** The path of each list in the product and in the bare server. */
const LISTS = [
  { name: 'offers', path: '/api/offer?limit=20', bare: '/offer' },
  { name: 'players_of_a_partner', path: '/api/player?limit=20&filter[partner][eq]=1', bare: '/player' },
] as const

export async function measureListRequests(): Promise<Figure[]> {
  const dataDir = makeDataDirectory('lists')
  const started: Started[] = []
  try {
    const env = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', UV_THREADPOOL_SIZE: '16', ...ADMIN_ENV }
    const product = await start('tracker-server.ts', ['--whole'], env)
    started.push(product)
    await withRecord(dataDir, async (record) => {
      for (const statement of ROWS.split(';')) await record.query(statement)
    })
    const bare = await start('bare-list-server.ts', [recordUrl(dataDir)], {})
    started.push(bare)
    const token = await signIn(product.url)
    const figures: Figure[] = []
    for (const list of LISTS) {
      const runs: { product: number; bare: number }[] = []
      for (let round = -1; round < ROUNDS; round++) {
        const run = { bare: load(`${bare.url}${list.bare}`), product: load(`${product.url}${list.path}`, token) }
        // The first round warms both up.
        if (round >= 0) runs.push(run)
      }
      const summarize = (name: string, unit: string, values: number[]): Figure => ({
        name: `lists.${list.name}${name}`,
        value: median(values),
        unit,
        runs: values,
      })
      figures.push(
        summarize(
          '_requests',
          'req/s',
          runs.map((run) => run.product),
        ),
        summarize(
          '_bare_requests',
          'req/s',
          runs.map((run) => run.bare),
        ),
        summarize(
          '_ratio',
          '×',
          runs.map((run) => run.product / run.bare),
        ),
      )
    }
    return figures
  } finally {
    for (const one of started.reverse()) await one.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Requests a second. */
function load(url: string, token?: string): number {
  const headers = token === undefined ? [] : ['-H', `authorization=Bearer ${token}`]
  const [program = '', ...rest] = pin(1, [
    TOOL,
    '-j',
    '-c',
    String(CONNECTIONS),
    '-d',
    String(SECONDS),
    ...headers,
    url,
  ])
  const { requests, non2xx }: { requests: { average: number }; non2xx: number } = JSON.parse(
    execFileSync(program, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  if (non2xx > 0) throw new Error(`${non2xx} requests of ${url} failed`)
  return requests.average
}
