// A typed slot of a running server: one module fills it (partner offer index, live hub), others read it, so that modules do not import each other's state.

export interface Slot<T> {
  fill(server: object, value: T): void
  /** Throws if the module that fills it does not run: a wiring error, not a request's. */
  of(server: object): T
  find(server: object): T | undefined
}

export function createSlot<T>(name: string): Slot<T> {
  const values = new WeakMap<object, { value: T }>()
  return {
    fill: (server, value) => void values.set(server, { value }),
    find: (server) => values.get(server)?.value,
    of(server) {
      const held = values.get(server)
      if (held === undefined) throw new Error(`nothing has filled the slot "${name}"`)
      return held.value
    },
  }
}
