// Gives the first clicks of ClickHouse to tracker processes, which have no access to it, so that their restart makes no visitor unique again.
import { timingSafeEqual } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import type { Clickhouse } from '../../clickhouse/client.ts'
import { readFirstClicks, type Uniqueness, type Visit } from '../../facts/clicks/uniqueness.ts'
import type { Logger } from '../../lib/log.ts'

/** Outside of /api and /c/, which the world uses; it answers 404 without the key. */
const FEED_PATH = '/tracker/first-clicks'

/** A line of the feed: id, partner offer, fingerprints of IP and user agent (high and low word each). */
type Line = readonly [id: string, offerPartner: number, number, number, number, number]

/** The end of a whole feed. A feed that breaks off lacks it. */
const END = '[]'
const LINES_PER_CHUNK = 1000

interface FeedOptions {
  readonly clickhouse: Clickhouse
  readonly key: string
  readonly log: Logger
}

/** Answers `GET {FEED_PATH}?since={milliseconds}` with a line for each first click. False if the request is for another path. */
export function serveFirstClicks(
  request: IncomingMessage,
  response: ServerResponse,
  { clickhouse, key, log }: FeedOptions,
): boolean {
  const [path, search] = (request.url ?? '').split('?')
  if (path !== FEED_PATH) return false
  const since = Number(new URLSearchParams(search).get('since'))
  if (!isKey(request.headers.authorization ?? '', key) || !Number.isFinite(since)) {
    response.writeHead(404).end()
    return true
  }
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  pipeline(writeLines(clickhouse, since), response).catch((error: unknown) =>
    log.warn({ error }, 'a tracker did not receive all first clicks'),
  )
  return true
}

const isKey = (given: string, key: string): boolean =>
  Buffer.byteLength(given) === Buffer.byteLength(key) && timingSafeEqual(Buffer.from(given), Buffer.from(key))

async function* writeLines(clickhouse: Clickhouse, since: number): AsyncGenerator<string> {
  let chunk: string[] = []
  for await (const { id, visit } of readFirstClicks(clickhouse, since)) {
    chunk.push(JSON.stringify(toLine(id, visit)))
    if (chunk.length < LINES_PER_CHUNK) continue
    yield `${chunk.join('\n')}\n`
    chunk = []
  }
  yield `${[...chunk, END].join('\n')}\n`
}

const toLine = (id: string, { offerPartnerId, address, agent }: Visit): Line => [
  id,
  offerPartnerId,
  address.high,
  address.low,
  agent.high,
  agent.low,
]

/** Restores the first clicks since `since` from the feed behind `socketPath`. Returns their number; throws if the feed breaks off. */
export async function restoreFromFeed(
  uniqueness: Uniqueness,
  since: number,
  { socketPath, key }: { socketPath: string; key: string },
): Promise<number> {
  const path = `${FEED_PATH}?since=${Math.floor(since)}`
  const answer = await get({ socketPath, path, headers: { authorization: key } })
  if (answer.statusCode !== 200) throw new Error(`the feed of first clicks answered ${answer.statusCode}`)
  let restored = 0
  for await (const text of createInterface({ input: answer })) {
    if (text === END) return restored
    // The feed is written above.
    const [id, offerPartnerId, addressHigh, addressLow, agentHigh, agentLow] = JSON.parse(text) as Line
    const visit = {
      offerPartnerId,
      address: { high: addressHigh, low: addressLow },
      agent: { high: agentHigh, low: agentLow },
    }
    uniqueness.restore(visit, id)
    restored++
  }
  throw new Error('the feed of first clicks broke off')
}

const get = (options: {
  socketPath: string
  path: string
  headers: Record<string, string>
}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sendRequest(options, resolve).once('error', reject).end()
  })
