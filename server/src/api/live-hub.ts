// Sends live events in order to the open screens of this process. It closes screens that do not read, and reloads each screen's person
// regularly, so that an ended session closes its screens.
import type { ServerResponse } from 'node:http'
import type { LiveMessage, LiveTopic } from '@tributary/contract/live'
import type { Person } from '../access/person.ts'
import type { Logger } from '../lib/log.ts'
import { ignore } from '../lib/promises.ts'
import type { Postgres } from '../postgres/client.ts'
import { mayReceive, readMessage } from './live-audience.ts'

export interface LiveScreen {
  readonly raw: ServerResponse
  readonly topics: ReadonlySet<LiveTopic>
  /** Reloads the person; undefined if they no longer have access. */
  readonly load: () => Promise<Person | undefined>
  person: Person
  /** Expiry of the token; the screen reconnects with a newer one. */
  readonly until: number
}

export interface LiveHub {
  /** Adds a screen whose stream is open and whose headers are sent. From then on only the hub writes to it and ends it. */
  readonly add: (screen: LiveScreen) => void
  readonly deliver: (text: string) => void
  /** Closes every screen after an interruption that may have lost events; screens reload their data when they reconnect. */
  readonly releaseAll: () => void
  readonly close: () => void
  readonly size: number
}

export interface HubOptions {
  postgres: Postgres
  log: Logger
  heartbeatMs?: number
}

const HEARTBEAT_MS = 15_000
/** Maximum backlog of a slow screen. */
const BACKLOG_BYTES = 256 * 1024
/** Maximum number of screens per session; the oldest is closed if there are more. */
const SCREENS_PER_SESSION = 24

export function createLiveHub({ postgres, log, heartbeatMs = HEARTBEAT_MS }: HubOptions): LiveHub {
  /** Each screen with a promise that resolves when its queue of events is empty. */
  const screens = new Map<LiveScreen, Promise<void>>()

  function release(screen: LiveScreen): void {
    if (!screens.delete(screen)) return
    if (screen.raw.writableLength > BACKLOG_BYTES) screen.raw.destroy()
    else screen.raw.end()
  }

  function write(screen: LiveScreen, text: string): void {
    if (!screens.has(screen)) return
    if (screen.raw.writableLength > BACKLOG_BYTES) release(screen)
    else screen.raw.write(text)
  }

  /** Returns false if the person has lost access and the screen was closed. */
  async function renew(screen: LiveScreen): Promise<boolean> {
    const person = await screen.load()
    if (person === undefined) release(screen)
    else screen.person = person
    return person !== undefined
  }

  /** Runs work in order for each screen. A failure closes the screen, so that it cannot show rows without permission. */
  function enqueue(screen: LiveScreen, work: () => Promise<void>): void {
    const before = screens.get(screen)
    if (before === undefined) return
    const next = before.then(work).catch((error: unknown) => {
      log.warn({ error }, 'a live screen was let go')
      release(screen)
    })
    screens.set(screen, next)
  }

  async function send(screen: LiveScreen, message: LiveMessage): Promise<void> {
    if (!screens.has(screen) || !(await mayReceive(screen.person, message, postgres))) return
    // Reload the person whose permissions have changed before sending them anything else.
    if (message.topic === 'permissions' && !(await renew(screen))) return
    if (screen.topics.has(message.topic)) write(screen, formatEvent(message))
  }

  const heartbeat = setInterval(() => {
    for (const screen of screens.keys()) {
      if (screen.until <= Date.now()) release(screen)
      else
        enqueue(screen, async () => {
          if (await renew(screen)) write(screen, ': \n\n')
        })
    }
  }, heartbeatMs)
  heartbeat.unref()

  const releaseAll = (): void => {
    for (const screen of screens.keys()) release(screen)
  }

  return {
    add(screen) {
      const sessionScreens = [...screens.keys()].filter((other) => other.person.sessionId === screen.person.sessionId)
      if (sessionScreens.length >= SCREENS_PER_SESSION && sessionScreens[0] !== undefined) release(sessionScreens[0])
      screens.set(screen, Promise.resolve())
      screen.raw.once('close', () => screens.delete(screen))
      screen.raw.once('error', ignore)
    },
    deliver(text) {
      const message = readMessage(text)
      if (message !== undefined) for (const screen of screens.keys()) enqueue(screen, () => send(screen, message))
    },
    releaseAll,
    close() {
      clearInterval(heartbeat)
      releaseAll()
    },
    get size() {
      return screens.size
    },
  }
}

export const formatEvent = ({ topic, payload }: Pick<LiveMessage, 'topic' | 'payload'>): string =>
  `event: ${topic}\ndata: ${JSON.stringify(payload)}\n\n`
