// Dialogs and corner messages are downloaded when the first one is needed. Whoever needs them waits for `openOverlays`.

let isWanted = false
let isReady = false
const listeners = new Set<() => void>()
const waiting = new Set<() => void>()

export const areOverlaysWanted = (): boolean => isWanted
export const areOverlaysReady = (): boolean => isReady

export function subscribeOverlays(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Resolves when a dialog or a message can be shown. */
export function openOverlays(): Promise<void> {
  if (isReady) return Promise.resolve()
  isWanted = true
  for (const listener of listeners) listener()
  return new Promise((resolve) => waiting.add(resolve))
}

/** Told by the host when it stands on the page, and again when it leaves it. */
export function setOverlaysReady(ready: boolean): void {
  isReady = ready
  if (!ready) return
  for (const resolve of waiting) resolve()
  waiting.clear()
}
