// Reads live events by one stream per page, open while a topic has listeners and the page is visible. It reconnects by itself and
// reports the gap to listeners, because events during an interruption are lost. Tests create it with their own edge.
import type { LivePayloads, LiveTopic } from '@tributary/contract/live'
import { EventSourceParserStream } from 'eventsource-parser/stream'

export interface LiveEdge {
  /** Opens the stream; rejects when the server rejects it. */
  open(topics: readonly LiveTopic[], signal: AbortSignal): Promise<Response>
  /** True when no retry can help, because there is no session. `restart` opens the stream again. */
  isFinal(error: unknown): boolean
  readonly retryMs?: number
}

export interface LiveListener<T extends LiveTopic> {
  onMessage(payload: LivePayloads[T]): void
  /** The stream was interrupted: shown data may be outdated. */
  onGap?: (() => void) | undefined
}

export interface Live {
  readonly subscribe: <T extends LiveTopic>(topic: T, listener: LiveListener<T>) => () => void
  /** Reconnects, as when the session or the viewed user changes. */
  readonly restart: () => void
  /** Closes the stream until `resume`, while the page is hidden. */
  readonly pause: () => void
  readonly resume: () => void
}

type AnyListener = LiveListener<LiveTopic>

const RETRY_MS = 1000
const LONGEST_RETRY_MS = 30_000
/** Collects subscriptions of a screen's components into one connection. */
const GATHER_MS = 50

interface Stream {
  readonly control: AbortController
  readonly topics: string
}

export function createLive(edge: LiveEdge): Live {
  const listeners = new Map<LiveTopic, Set<AnyListener>>()
  let line: Stream | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isPaused = false
  let hasGap = false

  const wanted = () => [...listeners.keys()].sort((a, b) => a.localeCompare(b))

  function schedule(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void connect(), ms)
  }

  function hangUp(): void {
    clearTimeout(timer)
    line?.control.abort()
    line = null
  }

  /** Opens the new stream before it closes the old one, so that no event is lost between them. */
  async function connect(): Promise<void> {
    const topics = wanted()
    if (isPaused || topics.length === 0) {
      hangUp()
      return
    }
    if (line?.topics === topics.join()) return
    const old = line
    const mine: Stream = { control: new AbortController(), topics: topics.join() }
    line = mine
    try {
      const answer = await edge.open(topics, mine.control.signal)
      failures = 0
      old?.control.abort()
      if (hasGap) notifyGap()
      if (answer.body) await read(answer.body)
    } catch (error) {
      old?.control.abort()
      if (line === mine && edge.isFinal(error)) {
        line = null
        hasGap = true
        return
      }
    }
    if (line !== mine) return
    line = null
    hasGap = true
    schedule(Math.min((edge.retryMs ?? RETRY_MS) * 2 ** failures, LONGEST_RETRY_MS))
    failures += 1
  }

  function notifyGap(): void {
    hasGap = false
    for (const set of listeners.values()) for (const listener of set) listener.onGap?.()
  }

  async function read(body: ReadableStream<Uint8Array>): Promise<void> {
    const events = body
      // The library declares a narrower byte type than the browser.
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(new EventSourceParserStream())
      .getReader()
    for (;;) {
      const { done, value } = await events.read()
      if (done) return
      // Server and screens derive the payload's type from the same contract.
      const payload = JSON.parse(value.data) as LivePayloads[LiveTopic]
      for (const listener of listeners.get(value.event as LiveTopic) ?? []) listener.onMessage(payload)
    }
  }

  return {
    subscribe(topic, listener) {
      const set = listeners.get(topic) ?? new Set<AnyListener>()
      listeners.set(topic, set)
      // Stored under its topic, the listener receives that topic's payloads only.
      const kept = listener as unknown as AnyListener
      set.add(kept)
      schedule(GATHER_MS)
      return () => {
        set.delete(kept)
        if (set.size === 0 && listeners.get(topic) === set) listeners.delete(topic)
        schedule(GATHER_MS)
      }
    },
    restart() {
      hangUp()
      hasGap = true
      failures = 0
      schedule(GATHER_MS)
    },
    pause() {
      isPaused = true
      hasGap ||= line !== null
      hangUp()
    },
    resume() {
      isPaused = false
      schedule(0)
    },
  }
}
