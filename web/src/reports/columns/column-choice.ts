// Which columns a user shows, and in which order, as pure functions.

/** The user's choice and order of columns. Columns added later are shown at the end. */
export interface ColumnChoice {
  /** Names in the user's order; may lack new columns and contain deleted ones. */
  readonly order: readonly string[]
  readonly hidden: readonly string[]
}

export const EVERY_COLUMN: ColumnChoice = { order: [], hidden: [] }

/** All of `known`, in the user's order. */
export function orderColumns<N extends string>(known: readonly N[], { order }: ColumnChoice): N[] {
  const chosen = order.filter((name): name is N => (known as readonly string[]).includes(name))
  return [...chosen, ...known.filter((name) => !chosen.includes(name))]
}

export function visibleColumns<N extends string>(known: readonly N[], choice: ColumnChoice): N[] {
  return orderColumns(known, choice).filter((name) => !choice.hidden.includes(name))
}

/** At least one column stays visible. */
export function toggleColumn(known: readonly string[], choice: ColumnChoice, name: string): ColumnChoice {
  if (choice.hidden.includes(name)) return { ...choice, hidden: choice.hidden.filter((hidden) => hidden !== name) }
  if (visibleColumns(known, choice).length === 1) return choice
  return { ...choice, hidden: [...choice.hidden, name] }
}

/** Moves a column to a position. */
export function moveColumn(known: readonly string[], choice: ColumnChoice, name: string, to: number): ColumnChoice {
  const order = orderColumns(known, choice)
  const from = order.indexOf(name)
  if (from < 0) return choice
  order.splice(from, 1)
  order.splice(Math.max(0, Math.min(to, order.length)), 0, name)
  return { ...choice, order }
}
