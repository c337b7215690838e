// A bounded memory of computed values: two generations, the older dropped when the younger is full. No timers, no lists.

export interface RecentCache<T> {
  get(key: string): T
}

export function createRecentCache<T>(compute: (key: string) => T, size: number): RecentCache<T> {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  return {
    get(key) {
      const found = young.get(key)
      if (found !== undefined) return found
      const value = old.get(key) ?? compute(key)
      if (young.size >= size) {
        old = young
        young = new Map()
      }
      young.set(key, value)
      return value
    },
  }
}
