// A typed place on a running server where one part leaves what others use (a link index, an event hub), so that parts never import each other's state.

export interface Slot<T> {
  fill(server: object, value: T): void
  /** Throws when the part that fills it is not running: an error of wiring, not of a request. */
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
