// Visitors and advertisers who live through crashes: what a server confirmed to them is remembered here, so that it can be looked for in the
// report. A visitor who gets no answer gives up; an advertiser sends a postback again until it is taken.

import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHROME, LINK, MAIN_POSTBACK } from './tracker-network.ts'

const VISITORS = 12
const ADVERTISERS = 3
/** Between two clicks of a visitor: the load is steady, the number of clicks bounded. */
const PAUSE_MS = 15
/** A busy machine with a PostgreSQL that replays its log. */
const PATIENCE_MS = 90_000

export interface Traffic {
  /** Ids of the clicks that were answered by 302. */
  readonly confirmed: readonly string[]
  /** Clicks sent that got another answer or none: they may have been recorded all the same. */
  readonly open: () => number
  /** How often each status was answered to a click. */
  readonly statuses: ReadonlyMap<number, number>
  /** Retry-After of the clicks and postbacks that were refused. */
  readonly retryAfter: ReadonlySet<string | undefined>
  /** Postbacks that were answered 200. */
  readonly registrations: ReadonlySet<string>
  readonly deposits: ReadonlyMap<string, number>
  /** Postbacks that were refused or not answered, before they were sent again. */
  readonly repeated: () => number
  /** Where the server is; undefined while it is known to be down. */
  target: string | undefined
  /** Waits until so many more clicks were confirmed. */
  confirmMore(count: number): Promise<void>
  /** Sends no new clicks or players until `resume`; resolves when those on their way are answered. The target must be up. */
  pause(): Promise<void>
  resume(): void
  /** No new clicks or players; postbacks that are on their way are sent until they are taken. */
  stop(): Promise<void>
}

export interface TrafficOptions {
  readonly visitors?: number
  readonly advertisers?: number
  readonly pauseMs?: number
  readonly advertiserPauseMs?: number
  /** The number of the click by default. */
  readonly subId?: (number: number) => string
}

interface Reply {
  status: number
  location: string | undefined
  retryAfter: string | undefined
}

export function startTraffic(url: string, options: TrafficOptions = {}): Traffic {
  const { visitors = VISITORS, advertisers = ADVERTISERS, pauseMs = PAUSE_MS, subId = String } = options
  const agent = new Agent({ keepAlive: true, maxSockets: visitors + advertisers })
  const confirmed: string[] = []
  const statuses = new Map<number, number>()
  const retryAfter = new Set<string | undefined>()
  const registrations = new Set<string>()
  const deposits = new Map<string, number>()
  let [sent, players, repeated] = [0, 0, 0]
  let [isOver, isPaused, underWay] = [false, false, 0]

  async function click(): Promise<void> {
    const { target } = traffic
    if (target === undefined) return
    const number = ++sent
    const headers = {
      'user-agent': CHROME,
      'x-forwarded-for': `81.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
    }
    const reply = await call(agent, `${target}/c/${LINK}?sub_id=${subId(number)}`, headers)
    if (reply === undefined) return
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    const id = reply.status === 302 ? new URL(reply.location ?? '').searchParams.get('click_id') : null
    if (id !== null) confirmed.push(id)
    else retryAfter.add(reply.retryAfter)
  }

  /** At least once, as advertisers do it. */
  async function tell(params: Record<string, string | number>): Promise<void> {
    const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]))
    for (;;) {
      const { target } = traffic
      if (target !== undefined) {
        const reply = await call(agent, `${target}/postback/${MAIN_POSTBACK}?${query.toString()}`, {})
        if (reply?.status === 200) return
        if (reply !== undefined) retryAfter.add(reply.retryAfter)
        repeated++
      }
      await sleep(30)
    }
  }

  async function bringPlayer(): Promise<void> {
    const clickId = confirmed.at(-1)
    if (clickId === undefined) return
    const player = `player-${++players}`
    await tell({ event: 'reg', player_id: player, click_id: clickId })
    registrations.add(player)
    for (const sum of [players / 4, 10]) {
      const transaction = `${player}-${sum}-${deposits.size}`
      await tell({
        event: 'dep',
        player_id: player,
        click_id: clickId,
        sum,
        currency: 'EUR',
        transaction_id: transaction,
      })
      deposits.set(transaction, sum)
    }
  }

  const repeat = async (work: () => Promise<void>, pause: number): Promise<void> => {
    while (!isOver) {
      if (!isPaused) {
        underWay += 1
        await work()
        underWay -= 1
      }
      await sleep(pause)
    }
  }
  const traffic: Traffic = {
    confirmed,
    open: () => sent - confirmed.length,
    statuses,
    retryAfter,
    registrations,
    deposits,
    repeated: () => repeated,
    target: url,
    async confirmMore(count) {
      const wanted = confirmed.length + count
      const deadline = Date.now() + PATIENCE_MS
      while (confirmed.length < wanted) {
        if (Date.now() > deadline) throw new Error(`clicks are not taken: ${JSON.stringify([...statuses])}`)
        await sleep(10)
      }
    },
    async pause() {
      isPaused = true
      while (underWay > 0) await sleep(10)
    },
    resume() {
      isPaused = false
    },
    async stop() {
      isOver = true
      await running
      agent.destroy()
    },
  }
  const running = Promise.all([
    ...Array.from({ length: visitors }, () => repeat(click, pauseMs)),
    ...Array.from({ length: advertisers }, () => repeat(bringPlayer, options.advertiserPauseMs ?? pauseMs)),
  ])
  return traffic
}

/** Undefined when the server ended before it answered. */
function call(agent: Agent, url: string, headers: Record<string, string>): Promise<Reply | undefined> {
  return new Promise((resolve) => {
    const sending = request(url, { agent, headers }, (response) => {
      const { statusCode = 0, headers: answered } = response
      const reply = { status: statusCode, location: answered.location, retryAfter: answered['retry-after'] }
      response.resume().on('close', () => resolve(reply))
    })
    sending.on('error', () => setTimeout(() => resolve(undefined), 20))
    sending.end()
  })
}
