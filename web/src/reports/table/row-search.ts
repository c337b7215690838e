// Finds rows by their title: a row that is called so stays with all that is in it and with the rows that it is in.

interface Titled<R> {
  readonly childrenOf: (row: R) => readonly R[] | undefined
  readonly titleOf: (row: R) => string
  readonly withChildren: (row: R, children: R[]) => R
}

/** The rows that remain, and how many of them are called so. */
export function searchRows<R>(
  rows: readonly R[],
  text: string,
  shape: Titled<R>,
): { rows: readonly R[]; found: number } {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return { rows, found: 0 }
  let found = 0
  const keep = (row: R): R[] => {
    const isCalled = shape.titleOf(row).toLowerCase().includes(wanted)
    if (isCalled) found += 1
    const inside = (shape.childrenOf(row) ?? []).flatMap(keep)
    if (isCalled) return [row]
    return inside.length > 0 ? [shape.withChildren(row, inside)] : []
  }
  return { rows: rows.flatMap(keep), found }
}
