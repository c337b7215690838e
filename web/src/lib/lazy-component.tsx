// Components that are downloaded when first needed. A chunk that fails to load reloads the page once, because a new build may have
// replaced it; the second failure throws.
import { CHUNK_TIMEOUT_MS } from '@tributary/contract/limits'
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import type { KeyStore } from './storage.ts'

export class ChunkFailed extends Error {
  readonly chunk: string
  constructor(chunk: string, cause: unknown) {
    super(`chunk ${chunk} did not load`, { cause })
    this.name = 'ChunkFailed'
    this.chunk = chunk
  }
}

export interface ChunkLoader {
  /** Remembers across reloads which chunks failed. */
  readonly store: KeyStore
  reload(): void
  readonly timeoutMs?: number
}

const browser: ChunkLoader = {
  get store() {
    return window.sessionStorage
  },
  reload: () => window.location.reload(),
}

/** Loads a chunk; the promise stays pending while the page reloads. Rejects with ChunkFailed if the reload did not help. */
export async function loadChunk<T>(chunk: string, load: () => Promise<T>, loader = browser): Promise<T> {
  const mark = `reloaded:${chunk}`
  try {
    const loaded = await withTimeout(load(), loader.timeoutMs ?? CHUNK_TIMEOUT_MS)
    loader.store.removeItem(mark)
    return loaded
  } catch (cause) {
    if (loader.store.getItem(mark) !== null) throw new ChunkFailed(chunk, cause)
    loader.store.setItem(mark, '1')
    loader.reload()
    return new Promise<T>(() => undefined)
  }
}

function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not loaded after ${ms} ms`)), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

export type LazyComponent<P extends object> = ((props: P) => ReactNode) & { readonly preload: () => Promise<void> }

interface Chunk<P extends object> {
  loaded: ComponentType<P> | null
  readonly suspended: ComponentType<P>
}

interface ChunkViewProps<P extends object> {
  chunk: Chunk<P>
  props: P
  whileLoading: ReactNode
}

function ChunkView<P extends object>({ chunk, props, whileLoading }: ChunkViewProps<P>) {
  // Fixed at mount: another component type on a later render would lose the component's state.
  const [Current] = useState<ComponentType<P>>(() => chunk.loaded ?? chunk.suspended)
  return (
    <Suspense fallback={whileLoading}>
      <Current {...props} />
    </Suspense>
  )
}

/**
 * After `preload` resolves, the component renders at once; before that it shows `whileLoading`. `name` must be unique: the loader remembers by
 * it which chunks failed.
 */
export function lazyComponent<P extends object>(
  name: string,
  load: () => Promise<ComponentType<P>>,
  whileLoading: ReactNode = null,
): LazyComponent<P> {
  let loading: Promise<{ default: ComponentType<P> }> | null = null
  const loadOnce = () => {
    loading ??= loadChunk(name, load).then((component) => {
      chunk.loaded = component
      return { default: component }
    })
    return loading
  }
  const chunk: Chunk<P> = { loaded: null, suspended: lazy(loadOnce) }
  const preload = async (): Promise<void> => {
    await loadOnce()
  }
  return Object.assign((props: P) => <ChunkView chunk={chunk} props={props} whileLoading={whileLoading} />, { preload })
}
