// A bounded cache of computed values.

const ENTRIES = 20_000

/** The known value of the key, or the one that `make` computes. A cache that is full starts empty again. */
export function remember<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key)
  if (found !== undefined || known.has(key)) return found as V
  if (known.size >= ENTRIES) known.clear()
  const made = make()
  known.set(key, made)
  return made
}
