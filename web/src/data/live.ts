// Holds the page's one stream of live events and the hook that subscribes to it. A hidden page closes the stream after a while,
// because a browser has few connections for all its tabs.
import type { LivePayloads, LiveTopic } from '@tributary/contract/live'
import { useEffect, useEffectEvent } from 'react'
import { groupFilter } from '../state/preferences.ts'
import { session } from '../state/session.ts'
import { http } from './http.ts'
import { HttpError } from './http-error.ts'
import { createLive } from './live-client.ts'

const HIDDEN_MS = 20_000

const live = createLive({
  open: (topics, signal) =>
    http.open('GET', 'events', undefined, { query: { topics: topics.join(',') }, signal, isEndless: true }),
  isFinal: (error) => error instanceof HttpError && (error.status === 401 || error.status === 403),
})

let hiding: ReturnType<typeof setTimeout> | undefined

function followVisibility(): void {
  clearTimeout(hiding)
  if (document.visibilityState === 'visible') live.resume()
  else hiding = setTimeout(live.pause, HIDDEN_MS)
}

if (globalThis.document?.visibilityState === 'hidden') live.pause()
globalThis.document?.addEventListener('visibilitychange', followVisibility)
groupFilter.subscribe(live.restart)
session.subscribe((change) => {
  if (change !== 'saved') live.restart()
})

/**
 * Calls `onMessage` for each event of the topic while the component is mounted. Events carry keys: load the rows by ordinary
 * calls. `onGap` runs after an interruption, when events may be lost: reload shown data.
 */
export function useLive<T extends LiveTopic>(
  topic: T,
  onMessage: (payload: LivePayloads[T]) => void,
  onGap?: () => void,
): void {
  const hear = useEffectEvent(onMessage)
  const catchUp = useEffectEvent(() => onGap?.())
  // Subscribes to the server, which is outside React.
  useEffect(() => live.subscribe(topic, { onMessage: hear, onGap: catchUp }), [topic])
}

/** Follows the progress of the call with this `requestId`. Returns a function that ends it. */
export const followCall = (requestId: string, onProgress: (done: number, total: number) => void): (() => void) =>
  live.subscribe('job', {
    onMessage: ({ id, done, total }) => {
      if (id === requestId && done !== undefined && total !== undefined) onProgress(done, total)
    },
  })

export const newRequestId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
