// Values by cell. Two levels, because a hundred thousand cells have few places and few days: one key for each would take most of the memory.

import type { SpendCell } from './spend-cell.ts'
import { keyOfPlace } from './spend-offer-partners.ts'

export interface ReadonlyCellMap<T> {
  get(cell: SpendCell): T | undefined
  has(cell: SpendCell): boolean
}

export class CellMap<T> implements ReadonlyCellMap<T> {
  readonly #places = new Map<string, Map<string, T>>()

  static of<T extends SpendCell>(values: Iterable<T>): CellMap<T> {
    const map = new CellMap<T>()
    for (const value of values) map.set(value, value)
    return map
  }

  get(cell: SpendCell): T | undefined {
    return this.#places.get(keyOfPlace(cell))?.get(cell.day)
  }

  has(cell: SpendCell): boolean {
    return this.#places.get(keyOfPlace(cell))?.has(cell.day) === true
  }

  set(cell: SpendCell, value: T): void {
    const key = keyOfPlace(cell)
    const days = this.#places.get(key)
    if (days === undefined) this.#places.set(key, new Map([[cell.day, value]]))
    else days.set(cell.day, value)
  }
}
