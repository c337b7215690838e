// A screen that is downloaded when it is first needed; the router waits for `preload`, so that the old page stays until the new one can be shown.
import { type ComponentType, lazy } from 'react'
import { loadPart } from '../lib/lazy-part.ts'

export interface LazyScreen<P extends object> {
  readonly Screen: ComponentType<P>
  readonly preload: () => Promise<void>
}

export function lazyScreen<P extends object>(part: string, load: () => Promise<ComponentType<P>>): LazyScreen<P> {
  let underWay: Promise<{ default: ComponentType<P> }> | null = null
  const once = () => {
    underWay ??= loadPart(part, load).then((component) => ({ default: component }))
    return underWay
  }
  return {
    Screen: lazy(once),
    preload: async () => {
      await once()
    },
  }
}
