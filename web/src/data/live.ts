// The page's one stream of live messages, and the hook by which a screen listens. A page that is not seen lets it go after a while: a browser
// has only a handful of connections for all its tabs.
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
 * Calls `onMessage` for each message of the topic while the component is there. A message carries keys: ask for the rows by the ordinary
 * calls. `onGap` is called when the stream was interrupted and some may have been missed: ask for what is shown again.
 */
export function useLive<T extends LiveTopic>(
  topic: T,
  onMessage: (payload: LivePayloads[T]) => void,
  onGap?: () => void,
): void {
  const hear = useEffectEvent(onMessage)
  const catchUp = useEffectEvent(() => onGap?.())
  // Listens to the server, which is outside React.
  useEffect(() => live.subscribe(topic, { onMessage: hear, onGap: catchUp }), [topic])
}

/** Follows a call that was given this id as `requestId`, until the answer of this function is called. */
export const followCall = (requestId: string, onProgress: (done: number, total: number) => void): (() => void) =>
  live.subscribe('job', {
    onMessage: ({ id, done, total }) => {
      if (id === requestId && done !== undefined && total !== undefined) onProgress(done, total)
    },
  })

export const newRequestId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
