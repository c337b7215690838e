// Live visitors, a few per second, over HTTP like real ones: clicks, then registrations and deposits as advertisers report them. They wait in
// memory and are lost when the process ends.

import { request } from 'undici'
import type { Logger } from '../server/src/lib/log.ts'
import type { DemoWorld } from './history.ts'
import { urlOf } from './history-clicks.ts'
import type { Pending } from './history-rows.ts'
import type { Random } from './random.ts'
import { at } from './rows.ts'
import type { Visit } from './visits.ts'

export interface LiveOptions {
  readonly url: string
  readonly log: Logger
  readonly world: DemoWorld
  readonly random: Random
  readonly offerPartners: readonly LiveOfferPartner[]
  readonly pending: readonly Pending[]
  /** Visits a second. */
  readonly rate: number
}

/** In the order of the plan. */
export interface LiveOfferPartner {
  readonly uuid: string
  readonly postback: string
}

const TICK_MS = 250
/** Factor by which what follows a click is faster than in life: an hour passes in half a minute, so that people can watch. */
const SPEED_UP = 120
const DAY_MS = 86_400_000
const MOST_PENDING = 5000
/** Live visitors register more often than real ones. */
const EAGERNESS = 3

export function startLive(options: LiveOptions): { stop(): Promise<void> } {
  const queue: Pending[] = options.pending.filter(({ at: due }) => due < Date.now() + 7 * DAY_MS)
  const running = new Set<Promise<void>>()
  let isStopped = false
  let complaints = 0
  const run = (work: Promise<void>) => {
    const watched = work
      .catch((error: unknown) => {
        if (!isStopped && complaints++ < 3) options.log.warn({ error }, 'a live visitor of the demo was not served')
      })
      .finally(() => running.delete(watched))
    running.add(watched)
  }
  const timer = setInterval(() => {
    for (const visit of options.world.traffic.visits(
      options.random,
      Number.MAX_SAFE_INTEGER,
      (options.rate * TICK_MS) / 1000,
    )) {
      run(serveVisit(options, visit, queue))
    }
    const now = Date.now()
    for (const [i, event] of queue.entries()) {
      if (event.at > now) continue
      queue[i] = at(queue, queue.length - 1)
      queue.pop()
      run(sendPostback(options, event))
      break
    }
  }, TICK_MS)
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await Promise.all(running)
    },
  }
}

async function serveVisit(
  { url, random, offerPartners, world }: LiveOptions,
  visit: Visit,
  queue: Pending[],
): Promise<void> {
  const { uuid, postback } = at(offerPartners, visit.offerPartner)
  let clickId: string | undefined
  for (const _ of visit.moments) {
    const answer = await request(`${url}${urlOf(visit, uuid)}`, {
      headers: {
        'x-forwarded-for': visit.visitor.ip,
        'user-agent': visit.visitor.userAgent,
        'accept-language': visit.visitor.language,
      },
      headersTimeout: 10_000,
    })
    await answer.body.dump()
    const target = answer.headers.location
    if (answer.statusCode === 302 && typeof target === 'string')
      clickId ??= new URL(target).searchParams.get('click_id') ?? undefined
  }
  const player = visit.player ?? (random.chance((EAGERNESS - 1) * 0.04) ? borrowPlayer(world, random, visit) : null)
  if (!player || clickId === undefined || queue.length > MOST_PENDING) return
  const outerId = String(900_000_000 + Math.floor(random.next() * 99_999_999))
  const now = Date.now()
  for (const act of player.acts) {
    const params: Record<string, string> = {
      click_id: clickId,
      event: act.type,
      player_id: outerId,
      country: player.country,
      currency: player.currency,
    }
    if (act.type !== 'reg')
      Object.assign(params, { sum: String(act.amount), transaction_id: `${outerId}-${Math.floor(act.after / 1000)}` })
    const due = { at: now + act.after / SPEED_UP, uuid: postback, params }
    if (due.at - now > 2 * 3_600_000) break
    queue.push(due)
    if (act.repeated) queue.push({ ...due, at: due.at + 8000 })
  }
}

/** Returns the player of another visit for a visitor who would not register. */
function borrowPlayer({ traffic }: DemoWorld, random: Random, visit: Visit): Visit['player'] {
  for (let tries = 0; tries < 5; tries++) {
    const other = traffic
      .visits(random, Number.MAX_SAFE_INTEGER, 20)
      .find(({ player, offerPartner }) => player && offerPartner !== visit.offerPartner)
    if (other?.player) return other.player
  }
  return null
}

async function sendPostback({ url, random }: LiveOptions, { uuid, params }: Pending): Promise<void> {
  // Some postbacks are invalid: they are rejected, stored completely, and answered with the reason.
  const sent = random.chance(0.01) && params.sum !== undefined ? { ...params, sum: 'NaN' } : params
  const answer = await request(`${url}/postback/${uuid}?${new URLSearchParams(sent).toString()}`, {
    headersTimeout: 10_000,
  })
  await answer.body.dump()
}
