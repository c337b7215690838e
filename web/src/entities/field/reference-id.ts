// The id of the row that a value refers to.

/** Null if the value is no reference, as in a field that is empty. */
export const idOf = (value: unknown): number | null =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number' ? value.id : null
