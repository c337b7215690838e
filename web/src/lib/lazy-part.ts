// A lazily loaded part that does not arrive reloads the page once (a new build may have replaced it); the second time it says so.
import { CHUNK_TIMEOUT_MS } from '@tributary/contract/limits'
import type { KeyStore } from './storage.ts'

export class PartFailed extends Error {
  readonly part: string
  constructor(part: string, cause: unknown) {
    super(`part ${part} did not load`, { cause })
    this.name = 'PartFailed'
    this.part = part
  }
}

export interface PartEdge {
  readonly store: KeyStore
  reload(): void
  readonly timeoutMs?: number
}

const browser: PartEdge = {
  get store() {
    return window.sessionStorage
  },
  reload: () => window.location.reload(),
}

/** Loads a part; the promise stays open while the page reloads. Rejects with PartFailed after the reload did not help. */
export async function loadPart<T>(part: string, load: () => Promise<T>, edge: PartEdge = browser): Promise<T> {
  const mark = `reloaded:${part}`
  try {
    const loaded = await withTimeout(load(), edge.timeoutMs ?? CHUNK_TIMEOUT_MS)
    edge.store.removeItem(mark)
    return loaded
  } catch (cause) {
    if (edge.store.getItem(mark) !== null) throw new PartFailed(part, cause)
    edge.store.setItem(mark, '1')
    edge.reload()
    return new Promise<T>(() => undefined)
  }
}

function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not there after ${ms} ms`)), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
