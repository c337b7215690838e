// Writes a year of the demo's past: the directory, then clicks, players, reports and spends, each by the code that real traffic goes through.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { createPastClicks } from '../server/src/facts/clicks/click-loader.ts'
import { createUniqueness } from '../server/src/facts/clicks/uniqueness.ts'
import { ignore } from '../server/src/lib/promises.ts'
import type { Services } from '../server/src/services.ts'
import { createClickIds } from '../server/src/tracker/clicks/click-id.ts'
import { openIpCountry } from '../server/src/tracker/clicks/ip-country.ts'
import { createVisitors } from '../server/src/tracker/clicks/visitor.ts'
import { trackers } from '../server/src/tracker/tracker.ts'
import { type Calendar, makeCalendar } from './calendar.ts'
import type { DemoSize } from './config.ts'
import { copyRows, copyText } from './copy-rows.ts'
import { type ClickHistory, replayClicks, type TakeClick } from './history-clicks.ts'
import {
  type AgencyClicks,
  isAgency,
  makeReportRows,
  makeSpendRows,
  REPORT_COLUMNS,
  SPEND_COLUMNS,
} from './history-money.ts'
import { makePlayerRows } from './history-players.ts'
import {
  EVENT_COLUMNS,
  type PartnerAddress,
  type Pending,
  PLAYER_COLUMNS,
  type PlayerDay,
  type PlayerRows,
  POSTBACK_COLUMNS,
} from './history-rows.ts'
import { FULL_SIZE, type Network, planNetwork, SMALL_SIZE } from './network.ts'
import { makeRandom } from './random.ts'
import type { NetworkIds } from './setting.ts'
import { gatherCrowd } from './visitors.ts'
import { planTraffic, type Traffic } from './visits.ts'
import { writeNetwork } from './write-network.ts'

const SEED = 20_251_120
const DAYS = 365
/** Clicks of one insert at least; it ends with a month, which is a partition: nothing is left to be merged. */
const BATCH = 60_000

export interface DemoWorld {
  readonly network: Network
  readonly traffic: Traffic
  readonly calendar: Calendar
  readonly seed: number
}

/** Plans the demo from a fixed seed. The plan is not stored, so it must be the same every time. */
export function planWorld({ config }: Services, size: DemoSize, zone: string, now: number): DemoWorld {
  const network = planNetwork(SEED, size === 'small' ? SMALL_SIZE : FULL_SIZE, DAYS)
  const crowd = gatherCrowd(SEED, openIpCountry(config.geoipDbPath))
  return { network, traffic: planTraffic(network, crowd), calendar: makeCalendar(DAYS, zone, now), seed: SEED }
}

export interface Written {
  readonly clicks: number
  readonly players: number
  readonly pending: readonly Pending[]
}

export interface HistoryOptions {
  readonly zone: string
  readonly now: number
  readonly partnersUrl: string
  readonly passwordHash: string
  readonly visits: number
  /** Ends the work early, by throwing. */
  readonly stopping: AbortSignal
  progress(text: string): void
}

export async function writeHistory(services: Services, world: DemoWorld, options: HistoryOptions): Promise<Written> {
  const { network, calendar, seed } = world
  const ids = await services.postgres.withClient((client) =>
    writeNetwork(client, {
      network,
      seed,
      firstDay: calendar.first,
      dayAt: (n) => calendar.day(n),
      days: DAYS,
      passwordHash: options.passwordHash,
      partnersUrl: options.partnersUrl,
    }),
  )
  options.progress(
    `${network.offers.length} offers, ${network.partners.length} partners, ${network.offerPartners.length} partner offers`,
  )
  const uuids = await readUuids(services, ids)
  await untilKnown(services, uuids.offerPartners)
  const players = makePlayerRows({
    network,
    ids,
    postbackUuids: uuids.postbacks,
    addresses: uuids.addresses,
    trackerUrl: services.config.trackerUrl,
    zone: options.zone,
    now: options.now,
    random: makeRandom(seed).fork('players'),
  })
  const { clicks, agency, inserting } = await writeClicks(services, world, options, uuids.offerPartners, players)
  options.progress(`${clicks} clicks`)
  // Writes the money of the whole past while the last clicks are being written.
  await allOf([inserting, writeMoney(services, world, ids, players.rows.acts, agency)])
  await services.postgres.pool.query(IN_ORDER)
  return { clicks, players: players.last().playerId, pending: players.rows.pending }
}

interface Uuids {
  readonly offerPartners: readonly string[]
  readonly postbacks: readonly string[]
  readonly addresses: ReadonlyMap<number, PartnerAddress>
}

async function readUuids({ postgres }: Services, ids: NetworkIds): Promise<Uuids> {
  const offerPartners = await postgres.pool.query<{ id: number; uuid: string; postback: string }>(
    `select l.id, l.uuid, p.uuid as postback from offer_partner l join offer_partner_postback p on p.offer_partner_id = l.id and p.kind = 'main'`,
  )
  const byId = new Map(offerPartners.rows.map((row) => [row.id, row]))
  const addresses = await postgres.pool.query<PartnerAddress & { partner_id: number }>(
    'select id, partner_id, url, method from partner_postback_url',
  )
  return {
    offerPartners: ids.offerPartners.map((id) => byId.get(id)?.uuid ?? ''),
    postbacks: ids.offerPartners.map((id) => byId.get(id)?.postback ?? ''),
    addresses: new Map(addresses.rows.map((row) => [row.partner_id, row])),
  }
}

/** Waits until notifications have brought all new partner offers to the tracker. */
async function untilKnown(services: Services, uuids: readonly string[]): Promise<void> {
  const { offerPartners } = trackers.of(services)
  const deadline = Date.now() + 20_000
  while (uuids.some((uuid) => offerPartners.find(uuid) === undefined)) {
    if (Date.now() > deadline) throw new Error('the tracker did not load the new partner offers in time')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function writeClicks(
  services: Services,
  { network, traffic, calendar, seed }: DemoWorld,
  { visits, zone, now, stopping }: HistoryOptions,
  uuids: readonly string[],
  players: ReturnType<typeof makePlayerRows>,
): Promise<{ clicks: number; agency: AgencyClicks[]; inserting: Promise<unknown> }> {
  const { offerPartners } = trackers.of(services)
  const history: ClickHistory = {
    calendar,
    traffic,
    visits,
    uuids,
    context: {
      offerPartners,
      visitors: createVisitors(openIpCountry(services.config.geoipDbPath)),
      uniqueness: createUniqueness(() => offerPartners.uniquenessWindow()),
      ids: createClickIds(),
    },
    random: makeRandom(seed).fork('visits'),
    now,
  }
  const agency: AgencyClicks[] = []
  let counts = new Map<number, number>()
  let batch = createPastClicks(zone)
  let clicks = 0
  let inserting: Promise<unknown> = Promise.resolve()
  let copying: Promise<unknown> = Promise.resolve()
  // The engines take one batch in their own threads and processes while the next one is decided.
  const write = async (): Promise<void> => {
    await allOf([inserting, copying])
    inserting = batch.insert(services)
    copying = writePlayers(services, takePlayers(players.rows))
    // Failures are reported where the promises are awaited.
    for (const work of [inserting, copying]) work.catch(ignore)
    clicks += batch.count
    batch = createPastClicks(zone)
  }
  const take: TakeClick = (click, { offerPartner, player }, isFirst) => {
    batch.add(click)
    if (isFirst && player) players.add({ offerPartner, click, player })
    if (isAgency(network, offerPartner)) counts.set(offerPartner, (counts.get(offerPartner) ?? 0) + 1)
  }
  try {
    for (const day of replayClicks(history, take)) {
      await nextTurn()
      stopping.throwIfAborted()
      if (day === undefined) continue
      agency.push(...[...counts].map(([offerPartner, count]) => ({ day, offerPartner, clicks: count })))
      counts = new Map()
      if (batch.count >= BATCH && calendar.day(day + 1).endsWith('-01')) await write()
    }
    await write()
    await copying
  } catch (error) {
    await Promise.allSettled([inserting, copying])
    throw error
  }
  return { clicks, agency, inserting }
}

type Gathered = Record<'players' | 'postbacks' | 'events', Buffer>

/** Empties the buffers and returns their rows. */
const takePlayers = ({ players, postbacks, events }: PlayerRows): Gathered => ({
  players: players.take(),
  postbacks: postbacks.take(),
  events: events.take(),
})

async function writePlayers(services: Services, { players, postbacks, events }: Gathered): Promise<void> {
  await inBulk(services, async (client) => {
    await copyText(client, 'player', PLAYER_COLUMNS, players)
    await copyText(client, 'postback', POSTBACK_COLUMNS, postbacks)
    await copyText(client, 'player_event', EVENT_COLUMNS, events)
  })
}

/** Ids of later rows continue behind these; the planner knows the sizes of the tables. */
const IN_ORDER = `select setval(pg_get_serial_sequence('player', 'id'), (select coalesce(max(id), 1) from player)),
    setval(pg_get_serial_sequence('postback', 'id'), (select coalesce(max(id), 1) from postback));
  analyze player, player_event, player_report, partner_spend`

async function writeMoney(
  services: Services,
  { network, calendar, seed }: DemoWorld,
  ids: NetworkIds,
  acts: readonly PlayerDay[],
  agency: readonly AgencyClicks[],
): Promise<void> {
  const random = makeRandom(seed).fork('money')
  await inBulk(services, async (client) => {
    await copyRows(client, 'player_report', REPORT_COLUMNS, makeReportRows(acts, calendar, random))
    await copyRows(client, 'partner_spend', SPEND_COLUMNS, makeSpendRows(network, ids, agency, calendar, random))
  })
}

/** Each attempt of the last month, by the schedule: all but the last of them failed. */
const ATTEMPTS = `insert into postback_attempt (postback_id, number, at, method, url, code, response, error, duration_ms)
  select p.id, n, p.created_at + make_interval(secs => (array[0, 10, 70, 370, 1270, 4870, 19270, 62470, 148870])[n]), p.method, p.url,
    case when n < p.attempts then 500 else p.response_code end,
    case when n < p.attempts then 'Database error: too many connections' else p.response end,
    case when n < p.attempts or p.status = 'failed' then 'the answer was 500' end, 40 + (p.id * 37 + n * 11) % 360
  from postback p cross join lateral generate_series(1, least(p.attempts, 9)) n
  where p.direction = 'out' and p.created_at > now() - interval '30 days' and p.attempts > 0`

/** Written while facts are made: no report reads attempts. */
export async function writeAttempts({ postgres }: Services): Promise<void> {
  await postgres.pool.query(ATTEMPTS)
  await postgres.pool.query('analyze postback, postback_attempt')
}

/** Without triggers: facts of the whole past are made in one go afterwards. Only a superuser may turn triggers off. */
function inBulk({ postgres }: Services, work: (client: PoolClient) => Promise<void>): Promise<void> {
  return postgres.withClient(async (client) => {
    await client.query('begin')
    try {
      await client.query('savepoint quiet')
      await client.query('set local session_replication_role = replica').catch(() => client.query('rollback to quiet'))
      await work(client)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  })
}

/** Rejects with the first failure, after all have settled. */
async function allOf(works: readonly Promise<unknown>[]): Promise<void> {
  for (const work of await Promise.allSettled(works)) if (work.status === 'rejected') throw work.reason
}
