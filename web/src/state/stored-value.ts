// A user's choice in browser storage, shared by the whole page.
import { useSyncExternalStore } from 'react'
import { localStore, readStored, writeStored } from '../lib/storage.ts'

export interface StoredValue<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** `isValid` rejects values that an older version or a user stored. */
export function createStoredValue<T>(key: string, initial: T, isValid: (value: unknown) => value is T): StoredValue<T> {
  const listeners = new Set<() => void>()
  let value = readStored(localStore(), key, isValid) ?? initial
  return {
    get: () => value,
    set: (next) => {
      value = next
      writeStored(localStore(), key, next)
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

export function useStoredValue<T>(stored: StoredValue<T>): [T, (value: T) => void] {
  return [useSyncExternalStore(stored.subscribe, stored.get), stored.set]
}
