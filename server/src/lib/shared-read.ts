// Shares one read among callers of the same moment.

const REUSE_MS = 1000

/** Calls of the result within a second get one result of `read`. */
export function shareReads<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | undefined
  return () => {
    if (last === undefined || performance.now() - last.at > REUSE_MS) last = { at: performance.now(), result: read() }
    return last.result
  }
}
