// Temporal: the browser's implementation, or else the polyfill, which is downloaded only then.
import type { Temporal as TemporalNamespace } from 'temporal-polyfill'

type Implementation = typeof TemporalNamespace

async function loadTemporal(): Promise<Implementation> {
  if ('Temporal' in globalThis) return (globalThis as unknown as { Temporal: Implementation }).Temporal
  return (await import('temporal-polyfill/full')).Temporal
}

export const Temporal: Implementation = await loadTemporal()
