// Sets of columns that answer one question each, and the place of the sorted column.

/** Each fits a screen of 1440 pixels, with the sorted column before it. The columns keep the order of the report. */
const PRESETS = {
  traffic: ['cc', 'uc', 'click_reg', 'cr', 'nd', 'reg_dep', 'deposits'],
  money: ['nd', 'deposits_amount', 'income', 's', 'profit', 'cfd', 'roi'],
  quality: ['click_reg', 'cr', 'nd', 'reg_dep', 'avg_bet', 'avg_check', 'avg_new_check'],
} as const

export type ColumnPreset = keyof typeof PRESETS | 'all'
export const COLUMN_PRESETS: readonly ColumnPreset[] = ['traffic', 'money', 'quality', 'all']

/** The columns of a preset among the known ones. */
export const presetColumns = (preset: ColumnPreset, known: readonly string[]): readonly string[] =>
  preset === 'all' ? known : PRESETS[preset].filter((name) => known.includes(name))

/** The preset that shows exactly these columns in this order; null for a choice of one's own. */
export const presetOf = (shown: readonly string[], known: readonly string[]): ColumnPreset | null =>
  COLUMN_PRESETS.find((preset) => presetColumns(preset, known).join() === shown.join()) ?? null

/**
 * The sorted column stands first, so that the order of the rows explains itself, unless the user has arranged the columns. A preset shows it
 * even if it is not among its columns.
 */
export function placeSorted(shown: readonly string[], known: readonly string[], sortedBy: string): readonly string[] {
  const sorted = sortedBy.replace(/_2$/, '').replace(/^spend$/, 's')
  const isArranged = known.filter((name) => shown.includes(name)).join() !== shown.join()
  const isShown = shown.includes(sorted) || (known.includes(sorted) && presetOf(shown, known) !== null)
  return isArranged || !isShown ? shown : [sorted, ...shown.filter((name) => name !== sorted)]
}
