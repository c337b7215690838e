// Column keys of formulas in a report: 'formula:12', and 'formula:12_2' for the second period.
export const FORMULA_PREFIX = 'formula:'

/** The key of a formula's column; `_2` marks the second period. */
export type FormulaKey = `${typeof FORMULA_PREFIX}${number}` | `${typeof FORMULA_PREFIX}${number}_2`
/** Matches the key of a formula's column; group 1 is the formula's id. */
export const FORMULA_KEY = /^formula:([1-9]\d{0,8})(_2)?$/

/** True for the key of a formula’s column: `formula:5`, or `formula:5_2` in the second period. */
export const isFormulaKey = (key: string): key is FormulaKey => FORMULA_KEY.test(key)

/** Ids of the formulas among column keys, each once. */
export const formulaIdsIn = (names: readonly string[]): number[] => [
  ...new Set(names.flatMap((name) => readFormulaKey(name)?.id ?? [])),
]

/** Parses a formula's key; null for any other key. */
export function readFormulaKey(key: string): { readonly id: number; readonly isSecond: boolean } | null {
  const [, id, suffix] = FORMULA_KEY.exec(key) ?? []
  return id === undefined ? null : { id: Number(id), isSecond: suffix !== undefined }
}
