// Which columns a person wants to see and in which order. Columns that came after the choice was made are shown, at their own place at the end.

export interface ColumnChoice {
  /** Names in the order chosen; may lack new ones and hold ones that are gone. */
  readonly order: readonly string[]
  readonly hidden: readonly string[]
}

export const EVERY_COLUMN: ColumnChoice = { order: [], hidden: [] }

/** All of `known`, in the order chosen. */
export function orderColumns<N extends string>(known: readonly N[], { order }: ColumnChoice): N[] {
  const chosen = order.filter((name): name is N => (known as readonly string[]).includes(name))
  return [...chosen, ...known.filter((name) => !chosen.includes(name))]
}

export function visibleColumns<N extends string>(known: readonly N[], choice: ColumnChoice): N[] {
  return orderColumns(known, choice).filter((name) => !choice.hidden.includes(name))
}

/** At least one column stays. */
export function toggleColumn(known: readonly string[], choice: ColumnChoice, name: string): ColumnChoice {
  if (choice.hidden.includes(name)) return { ...choice, hidden: choice.hidden.filter((hidden) => hidden !== name) }
  if (visibleColumns(known, choice).length === 1) return choice
  return { ...choice, hidden: [...choice.hidden, name] }
}

/** Puts a column where another one stands. */
export function moveColumn(known: readonly string[], choice: ColumnChoice, name: string, to: number): ColumnChoice {
  const order = orderColumns(known, choice)
  const from = order.indexOf(name)
  if (from < 0) return choice
  order.splice(from, 1)
  order.splice(Math.max(0, Math.min(to, order.length)), 0, name)
  return { ...choice, order }
}
