// Browser storage that never throws: if it is full or forbidden, the product only forgets choices.

export interface KeyStore {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Stores values until the page closes, where the browser offers no storage. */
export function memoryStore(): KeyStore {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      values.set(key, value)
    },
    removeItem: (key) => {
      values.delete(key)
    },
  }
}

/** The browser's local storage, or memory where access is denied. */
export function localStore(): KeyStore {
  try {
    return typeof window === 'undefined' ? memoryStore() : window.localStorage
  } catch {
    return memoryStore()
  }
}

/** The JSON value stored under a key if it passes `isValid`; otherwise null. */
export function readStored<T>(store: KeyStore, key: string, isValid: (value: unknown) => value is T): T | null {
  try {
    const text = store.getItem(key)
    if (text === null) return null
    const value: unknown = JSON.parse(text)
    return isValid(value) ? value : null
  } catch {
    return null
  }
}

/** Returns false if the browser rejects the write (quota, private mode). */
export function writeStored(store: KeyStore, key: string, value: unknown): boolean {
  try {
    store.setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}
