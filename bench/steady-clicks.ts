// Clicks at a fixed rate, whether or not earlier ones were answered, each from a visitor of its own.

import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { LINK } from './network.ts'

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0'
const TICK_MS = 10

export interface SteadyClicks {
  /** Answered by a redirect so far. */
  answered(): number
  /** Milliseconds from the sending of each click to its redirect, since the last call. */
  takeWaits(): number[]
  stop(): Promise<void>
}

interface Options {
  readonly perSecond: number
  readonly connections: number
}

/** Clicks that cannot be sent, because four times as many as the connections are open, are skipped. */
export function startClicks(url: string, { perSecond, connections }: Options): SteadyClicks {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let [sent, answered, open] = [0, 0, 0]
  let waits: number[] = []
  const began = performance.now()
  const click = (): void => {
    const number = ++sent
    const sentAt = performance.now()
    open++
    const headers = {
      'user-agent': CHROME,
      'x-forwarded-for': `81.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
    }
    const call = request(`${url}/c/${LINK}?sub_id=s${number % 50}`, { agent, headers }, (response) => {
      if (response.statusCode === 302) {
        answered++
        waits.push(performance.now() - sentAt)
      }
      response.resume().on('close', () => open--)
    })
    call.on('error', () => open--)
    call.end()
  }
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond
    for (; sent < due; ) {
      if (open >= connections * 4) {
        sent = Math.floor(due)
        break
      }
      click()
    }
  }, TICK_MS)
  return {
    answered: () => answered,
    takeWaits() {
      const taken = waits
      waits = []
      return taken
    },
    async stop() {
      clearInterval(timer)
      while (open > 0) await sleep(20)
      agent.destroy()
    },
  }
}
