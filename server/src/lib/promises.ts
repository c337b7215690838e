// Stops waiting for a promise on abort; its work goes on.

/** Rejects with the signal's reason as soon as the signal aborts. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(toError(signal.reason))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

export const toError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new DOMException('aborted', 'AbortError')

// Handler of failures that are expected and change nothing.

export const ignore = (): undefined => undefined
