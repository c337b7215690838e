// What the server tells without being asked: one stream for the whole page, open while somebody listens and the page can be seen. It comes
// back by itself; whoever listens is told of the gap, because what was said meanwhile is lost. Made by a function so that tests can point it anywhere.
import type { LivePayloads, LiveTopic } from '@tributary/contract/live'
import { EventSourceParserStream } from 'eventsource-parser/stream'

export interface LiveEdge {
  /** Opens the stream; rejects when it is refused. */
  open(topics: readonly LiveTopic[], signal: AbortSignal): Promise<Response>
  /** Refused for good: no session. It is opened again when `restart` is called. */
  isFinal(error: unknown): boolean
  readonly retryMs?: number
}

export interface LiveListener<T extends LiveTopic> {
  onMessage(payload: LivePayloads[T]): void
  /** The stream was interrupted: what is shown may be old. */
  onGap?: (() => void) | undefined
}

export interface Live {
  readonly subscribe: <T extends LiveTopic>(topic: T, listener: LiveListener<T>) => () => void
  /** Opens anew, as somebody else or with another view. */
  readonly restart: () => void
  /** Closes until `resume`: a page that is not seen needs no stream. */
  readonly pause: () => void
  readonly resume: () => void
}

type AnyListener = LiveListener<LiveTopic>

const RETRY_MS = 1000
const LONGEST_RETRY_MS = 30_000
/** Screens come and go in pieces: what they want is gathered first. */
const GATHER_MS = 50

interface Line {
  readonly control: AbortController
  readonly topics: string
}

export function createLive(edge: LiveEdge): Live {
  const listeners = new Map<LiveTopic, Set<AnyListener>>()
  let line: Line | null = null
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

  /** The new line stands before the old one goes, so that nothing is lost between them. */
  async function connect(): Promise<void> {
    const topics = wanted()
    if (isPaused || topics.length === 0) {
      hangUp()
      return
    }
    if (line?.topics === topics.join()) return
    const old = line
    const mine: Line = { control: new AbortController(), topics: topics.join() }
    line = mine
    try {
      const answer = await edge.open(topics, mine.control.signal)
      failures = 0
      old?.control.abort()
      if (hasGap) tellGap()
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

  function tellGap(): void {
    hasGap = false
    for (const set of listeners.values()) for (const listener of set) listener.onGap?.()
  }

  async function read(body: ReadableStream<Uint8Array>): Promise<void> {
    const events = body
      // The library's own type of bytes is narrower than the browser's.
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(new EventSourceParserStream())
      .getReader()
    for (;;) {
      const { done, value } = await events.read()
      if (done) return
      // The contract is what makes the payload's type true.
      const payload = JSON.parse(value.data) as LivePayloads[LiveTopic]
      for (const listener of listeners.get(value.event as LiveTopic) ?? []) listener.onMessage(payload)
    }
  }

  return {
    subscribe(topic, listener) {
      const set = listeners.get(topic) ?? new Set<AnyListener>()
      listeners.set(topic, set)
      // Kept under its topic, it is called with that topic's payloads only.
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
