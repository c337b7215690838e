// The open screens of this process and what they hear. One message goes to each in the order in which it came; a screen that does not
// read is let go, and comes back by itself. Who a screen belongs to is read again all the time, so that an ended session ends its screen.
import type { ServerResponse } from 'node:http'
import type { LiveMessage, LiveTopic } from '@tributary/contract/live'
import type { Person } from '../access/person.ts'
import { ignore } from '../lib/ignore.ts'
import type { Logger } from '../lib/log.ts'
import type { Postgres } from '../postgres/client.ts'
import { mayHear, readMessage } from './live-audience.ts'

export interface LiveScreen {
  readonly raw: ServerResponse
  readonly topics: ReadonlySet<LiveTopic>
  /** Who it belongs to now; undefined when they may no longer be here. */
  readonly load: () => Promise<Person | undefined>
  person: Person
  /** When its token runs out: a screen with a newer one comes back at once. */
  readonly until: number
}

export interface LiveHub {
  /** The stream is open and headed; from here on the hub writes to it and ends it. */
  readonly add: (screen: LiveScreen) => void
  readonly deliver: (text: string) => void
  /** After an interruption in which messages may have been missed: every screen is let go, and asks anew when it returns. */
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
/** What may wait for one slow screen. */
const BACKLOG_BYTES = 256 * 1024
/** Tabs of one session; the oldest goes when there are more. */
const SCREENS_PER_SESSION = 24

export function createLiveHub({ postgres, log, heartbeatMs = HEARTBEAT_MS }: HubOptions): LiveHub {
  /** The promise is the end of the queue of what the screen is still to hear. */
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

  /** False when the screen has lost its person and was let go. */
  async function renew(screen: LiveScreen): Promise<boolean> {
    const person = await screen.load()
    if (person === undefined) release(screen)
    else screen.person = person
    return person !== undefined
  }

  /** In order for each screen, one screen not waiting for another. What goes wrong closes that screen rather than showing too much. */
  function enqueue(screen: LiveScreen, work: () => Promise<void>): void {
    const before = screens.get(screen)
    if (before === undefined) return
    const next = before.then(work).catch((error: unknown) => {
      log.warn({ error }, 'a live screen was let go')
      release(screen)
    })
    screens.set(screen, next)
  }

  async function tell(screen: LiveScreen, message: LiveMessage): Promise<void> {
    if (!screens.has(screen) || !(await mayHear(screen.person, message, postgres))) return
    // Whose rights have changed is asked again before anything else is told to them.
    if (message.topic === 'permissions' && !(await renew(screen))) return
    if (screen.topics.has(message.topic)) write(screen, eventOf(message))
  }

  const beat = setInterval(() => {
    for (const screen of screens.keys()) {
      if (screen.until <= Date.now()) release(screen)
      else
        enqueue(screen, async () => {
          if (await renew(screen)) write(screen, ': \n\n')
        })
    }
  }, heartbeatMs)
  beat.unref()

  const releaseAll = (): void => {
    for (const screen of screens.keys()) release(screen)
  }

  return {
    add(screen) {
      const ofSession = [...screens.keys()].filter((other) => other.person.sessionId === screen.person.sessionId)
      if (ofSession.length >= SCREENS_PER_SESSION && ofSession[0] !== undefined) release(ofSession[0])
      screens.set(screen, Promise.resolve())
      screen.raw.once('close', () => screens.delete(screen))
      screen.raw.once('error', ignore)
    },
    deliver(text) {
      const message = readMessage(text)
      if (message !== undefined) for (const screen of screens.keys()) enqueue(screen, () => tell(screen, message))
    },
    releaseAll,
    close() {
      clearInterval(beat)
      releaseAll()
    },
    get size() {
      return screens.size
    },
  }
}

export const eventOf = ({ topic, payload }: Pick<LiveMessage, 'topic' | 'payload'>): string =>
  `event: ${topic}\ndata: ${JSON.stringify(payload)}\n\n`
