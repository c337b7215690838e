// Defines the place of each component in the array of a row. The numbers are one array, because planning many columns costs ClickHouse time.
import type { ComponentName, DimensionName } from '@tributary/contract/reports/traffic'
import { kindOf } from '../model/component.ts'
import { dateLevels, sliceColumns, sliceName } from './compile-source.ts'
import { type ComponentKey, INCOME_COUNTS, type IncomeCount } from './components.ts'
import type { Plan } from './plan.ts'
import type { Selection } from './query.ts'

type Suffix = '' | '_2'

/** What names of numbers end with: '' in the first period, '_2' in the second. */
export const suffixesOf = (selection: Selection): readonly Suffix[] => (selection.second === null ? [''] : ['', '_2'])

/** The last numbers of every row. They are read only in the total. */
const EXTRAS = ['players', 'rate_missing', 'lost_spends'] as const
/** The name of a number that only the total shows. */
export type ExtraName = (typeof EXTRAS)[number]
/** True for numbers that only the total shows. */
export const isExtra = (name: RowName): name is ExtraName => (EXTRAS as readonly string[]).includes(name)

/** The name of a number that no reader needs. */
const UNREAD = ''
/** The name of a number in the array of a row. */
export type RowName = ComponentKey | ExtraName | typeof UNREAD

/** Describes how to read the rows of a statement. */
export interface RowLayout {
  readonly levels: readonly DimensionName[]
  /** Each row has the groups of all levels and no children. */
  readonly isFlat: boolean
  readonly names: readonly RowName[]
}

/**
 * The names of the numbers in the array `n` of `compileUnion`: additive components, one number per slice for distinct ones, and players. Entered spend
 * is a separate column, because a group may be unable to carry it.
 */
const leafNames = (plan: Plan, selection: Selection): string[] => [
  ...plan.components.flatMap((component) => {
    if (component === 'entered_spend') return []
    return kindOf(component) === 'distinct' ? sliceColumns(component, selection).map(({ name }) => name) : [component]
  }),
  'players',
]

/** The names of entered spend, one for each period; none if no metric needs it. */
export const enteredNames = (plan: Plan, selection: Selection): ('entered_spend' | 'entered_spend_2')[] =>
  plan.components.includes('entered_spend')
    ? suffixesOf(selection).map((suffix) => `entered_spend${suffix}` as const)
    : []

/** The names of the counts of facts by whether the income of their day is reported; none if no metric rests on income. */
export const incomeCountNames = (plan: Plan, selection: Selection): `${IncomeCount}${Suffix}`[] =>
  plan.components.includes('income')
    ? suffixesOf(selection).flatMap((suffix) => INCOME_COUNTS.map((name) => `${name}${suffix}` as const))
    : []

/** Distinct components whose number differs by level, because date levels cut the period into slices. */
const slicedComponents = (plan: Plan, selection: Selection): ComponentName[] =>
  dateLevels(selection, selection.levels.length).length === 0
    ? []
    : plan.components.filter((component) => kindOf(component) === 'distinct')

/** The names of the numbers in the array of a row: components of the first period, those of the second, and the extras. */
export function rowNames(plan: Plan, selection: Selection): RowName[] {
  const sliced = slicedComponents(plan, selection)
  const shown = (component: ComponentName, suffix: Suffix): RowName[] => {
    if (component === 'entered_spend') return []
    if (kindOf(component) !== 'distinct') return [`${component}${suffix}`]
    return sliceColumns(component, selection).map(({ name }) =>
      sliced.length === 0 && name === sliceName(component, 0, suffix) ? (`${component}${suffix}` as const) : UNREAD,
    )
  }
  return [
    ...suffixesOf(selection).flatMap((suffix) => [
      ...plan.components.flatMap((component) => shown(component, suffix)),
      UNREAD,
    ]),
    ...enteredNames(plan, selection),
    ...incomeCountNames(plan, selection),
    ...suffixesOf(selection).flatMap((suffix) => sliced.map((component) => `${component}${suffix}` as const)),
    ...EXTRAS,
  ] as RowName[]
}

/** SQL parts of a row's array, over `leaf`. */
interface RowParts {
  /** SQL of entered spend by its name. */
  readonly enteredSpend: (name: string) => string
  /** SQL of a distinct component at the level of the row. `sqlOf` returns its SQL if so many date levels cut the period. */
  readonly distinct: (sqlOf: (dateCount: number) => string) => string
  readonly unallocatedCount: string
}

/** SQL of a row's array in the order of `rowNames`. */
export function rowSql(
  plan: Plan,
  selection: Selection,
  { enteredSpend, distinct, unallocatedCount }: RowParts,
): string {
  const carried = leafNames(plan, selection)
  // sumForEach over no rows returns an empty array.
  const sums = (suffix: Suffix): string => `arrayResize(sumForEach(leaf.n${suffix}), ${carried.length})`
  const numberAt = (name: string, suffix: Suffix): string => {
    const place = carried.indexOf(name)
    if (place === -1) throw new Error(`${name} is not among the numbers of a row`)
    return `${sums(suffix)}[${place + 1}]`
  }
  const beside = [
    ...enteredNames(plan, selection).map(enteredSpend),
    ...incomeCountNames(plan, selection).map((name) => `sum(leaf.${name})`),
    ...suffixesOf(selection).flatMap((suffix) =>
      slicedComponents(plan, selection).map((component) =>
        distinct((dateCount) => numberAt(sliceName(component, dateCount, suffix), suffix)),
      ),
    ),
    numberAt('players', ''),
    'max(leaf.rate_missing)',
    unallocatedCount,
  ]
  return `arrayConcat(${suffixesOf(selection).map(sums).join(', ')}, [${beside.join(', ')}])`
}

/** A WITH clause that names the numbers of `n`. */
export const numberNamesSql = (plan: Plan, selection: Selection): string =>
  `with ${rowNames(plan, selection)
    .flatMap((name, index) => (name === UNREAD ? [] : [`n[${index + 1}] as ${name}`]))
    .join(', ')}`
