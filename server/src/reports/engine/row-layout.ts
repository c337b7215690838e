// The numbers of a row travel as one array, because ClickHouse plans a statement by its columns. This file says which component stands where.
import type { ComponentName, DimensionName } from '@tributary/contract/reports/traffic'
import { kindOf } from '../model/component.ts'
import { datesAt, stretchColumns, stretchName } from './compile-source.ts'
import type { ComponentKey } from './components.ts'
import type { Plan } from './plan.ts'
import type { Selection } from './query.ts'

type Suffix = '' | '_2'

export const suffixesOf = (selection: Selection): readonly Suffix[] => (selection.second === null ? [''] : ['', '_2'])

/** The last numbers of every row: only the total's are read. */
const EXTRAS = ['players', 'rate_missing', 'lost_spends'] as const
export type ExtraName = (typeof EXTRAS)[number]
export const isExtra = (name: RowName): name is ExtraName => (EXTRAS as readonly string[]).includes(name)

/** A number that no reader needs. */
const UNREAD = ''
export type RowName = ComponentKey | ExtraName | typeof UNREAD

/** How to read the rows of a statement. */
export interface RowLayout {
  readonly levels: readonly DimensionName[]
  /** Each row names all its groups, and has no children. */
  readonly isFlat: boolean
  readonly names: readonly RowName[]
}

/**
 * What the array of one source holds: components that add up, each stretch of those that do not, and players. Entered spend stands
 * beside it, because a group may be unable to carry it.
 */
export const carriedNames = (plan: Plan, selection: Selection): string[] => [
  ...plan.components.flatMap((component) => {
    if (component === 'entered_spend') return []
    return kindOf(component) === 'distinct' ? stretchColumns(component, selection).map(({ name }) => name) : [component]
  }),
  'players',
]

export const enteredNames = (plan: Plan, selection: Selection): ('entered_spend' | 'entered_spend_2')[] =>
  plan.components.includes('entered_spend')
    ? suffixesOf(selection).map((suffix) => `entered_spend${suffix}` as const)
    : []

/** Distinct components have a number of their own at each level, where levels that are dates cut the period into stretches. */
const cutComponents = (plan: Plan, selection: Selection): ComponentName[] =>
  datesAt(selection, selection.levels.length).length === 0
    ? []
    : plan.components.filter((component) => kindOf(component) === 'distinct')

/** The array of a row: components of the first period, those of the second, and the extras. */
export function rowNames(plan: Plan, selection: Selection): RowName[] {
  const cut = cutComponents(plan, selection)
  const shown = (component: ComponentName, suffix: Suffix): RowName[] => {
    if (component === 'entered_spend') return []
    if (kindOf(component) !== 'distinct') return [`${component}${suffix}`]
    return stretchColumns(component, selection).map(({ name }) =>
      cut.length === 0 && name === stretchName(component, 0, suffix) ? (`${component}${suffix}` as const) : UNREAD,
    )
  }
  return [
    ...suffixesOf(selection).flatMap((suffix) => [
      ...plan.components.flatMap((component) => shown(component, suffix)),
      UNREAD,
    ]),
    ...enteredNames(plan, selection),
    ...suffixesOf(selection).flatMap((suffix) => cut.map((component) => `${component}${suffix}` as const)),
    ...EXTRAS,
  ] as RowName[]
}

/** What the array of a row is made of, over `leaf`. */
interface Grain {
  /** Entered spend, by its name. */
  readonly entered: (name: string) => string
  /** A component at the grain of the row; `at` gives the one of stretches made by so many levels that are dates. */
  readonly cut: (at: (cuts: number) => string) => string
  readonly lostSpends: string
}

/** The array of a row, in the order of `rowNames`. */
export function rowSql(plan: Plan, selection: Selection, { entered, cut, lostSpends }: Grain): string {
  const carried = carriedNames(plan, selection)
  // The sum of no rows is an array without numbers.
  const sums = (suffix: Suffix): string => `arrayResize(sumForEach(leaf.n${suffix}), ${carried.length})`
  const numberAt = (name: string, suffix: Suffix): string => {
    const place = carried.indexOf(name)
    if (place === -1) throw new Error(`${name} is not among the numbers of a row`)
    return `${sums(suffix)}[${place + 1}]`
  }
  const beside = [
    ...enteredNames(plan, selection).map(entered),
    ...suffixesOf(selection).flatMap((suffix) =>
      cutComponents(plan, selection).map((component) =>
        cut((cuts) => numberAt(stretchName(component, cuts, suffix), suffix)),
      ),
    ),
    numberAt('players', ''),
    'max(leaf.rate_missing)',
    lostSpends,
  ]
  return `arrayConcat(${suffixesOf(selection).map(sums).join(', ')}, [${beside.join(', ')}])`
}

/** A WITH clause that names the numbers of `n`. */
export const namedSql = (plan: Plan, selection: Selection): string =>
  `with ${rowNames(plan, selection)
    .flatMap((name, index) => (name === UNREAD ? [] : [`n[${index + 1}] as ${name}`]))
    .join(', ')}`
