// A user's choice in browser storage, shared by the whole page.
import { useSyncExternalStore } from 'react'
import { localStore, readStored, writeStored } from '../lib/storage.ts'

export interface StoredValue<T> {
  readonly get: () => T
  readonly set: (value: T) => void
  readonly subscribe: (listener: () => void) => () => void
}

/** A value that the parts of a page share until it is reloaded. */
export function createSharedValue<T>(initial: T, keep: (value: T) => void = () => undefined): StoredValue<T> {
  const listeners = new Set<() => void>()
  let value = initial
  return {
    get: () => value,
    set: (next) => {
      value = next
      keep(next)
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

/** `isValid` rejects values that an older version or a user stored. */
export const createStoredValue = <T>(
  key: string,
  initial: T,
  isValid: (value: unknown) => value is T,
): StoredValue<T> =>
  createSharedValue(readStored(localStore(), key, isValid) ?? initial, (value) => writeStored(localStore(), key, value))

export function useStoredValue<T>(stored: StoredValue<T>): [T, (value: T) => void] {
  return [useSyncExternalStore(stored.subscribe, stored.get), stored.set]
}
