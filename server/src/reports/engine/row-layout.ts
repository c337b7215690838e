// The numbers of a row travel as one array: a statement costs the engine by its columns, whatever they hold. Here is what stands where.
import type { PartName } from '@tributary/contract/reports/traffic'
import { kindOf } from '../model/part.ts'
import { datesAt, stretchColumns, stretchName } from './compile-source.ts'
import type { Plan } from './plan.ts'
import type { Selection } from './query.ts'

type Suffix = '' | '_2'

export const suffixesOf = (selection: Selection): readonly Suffix[] => (selection.second === null ? [''] : ['', '_2'])

/** The last numbers of every row. */
export const EXTRAS = ['players', 'rate_missing', 'lost_spends'] as const

/** What stands where nobody looks. */
const UNREAD = ''

/**
 * What the array of a source holds: parts that add up, each stretch of those that do not, and players. Entered spend stands beside
 * it, because a group may be unable to carry it.
 */
export const carriedNames = (plan: Plan, selection: Selection): string[] => [
  ...plan.parts.flatMap((part) => {
    if (part === 'entered_spend') return []
    return kindOf(part) === 'distinct' ? stretchColumns(part, selection).map(({ name }) => name) : [part]
  }),
  'players',
]

const hasEntered = (plan: Plan): boolean => plan.parts.includes('entered_spend')
export const enteredNames = (plan: Plan, selection: Selection): string[] =>
  hasEntered(plan) ? suffixesOf(selection).map((suffix) => `entered_spend${suffix}`) : []

/** Parts that have a number of their own at each level, because levels that are dates cut the period into stretches. */
const cutParts = (plan: Plan, selection: Selection): PartName[] =>
  datesAt(selection, selection.levels.length).length === 0
    ? []
    : plan.parts.filter((part) => kindOf(part) === 'distinct')

const cutNames = (plan: Plan, selection: Selection): string[] =>
  suffixesOf(selection).flatMap((suffix) => cutParts(plan, selection).map((part) => `${part}${suffix}`))

/** Names of the numbers of a row, in order: parts of the first period, those of the second with '_2', and `EXTRAS`. */
export function numbersOf(plan: Plan, selection: Selection): string[] {
  const isCut = cutParts(plan, selection).length > 0
  const shown = (name: string, suffix: Suffix): string => {
    if (name === 'players') return UNREAD
    const part = plan.parts.find((one) => kindOf(one) === 'distinct' && name.startsWith(`${one}_by`))
    if (part === undefined) return `${name}${suffix}`
    return !isCut && name === stretchName(part, 0, suffix) ? `${part}${suffix}` : UNREAD
  }
  return [
    ...suffixesOf(selection).flatMap((suffix) => carriedNames(plan, selection).map((name) => shown(name, suffix))),
    ...enteredNames(plan, selection),
    ...cutNames(plan, selection),
    ...EXTRAS,
  ]
}

/** What the array of a row is made of, over `leaf`. */
interface Grain {
  /** Entered spend, by its name. */
  readonly entered: (name: string) => string
  /** The sum of a part at the grain of the row; `at` gives that of the stretches made by so many levels that are dates. */
  readonly cut: (at: (cuts: number) => string) => string
  readonly lostSpends: string
}

/** The array of a row, in the order of `numbersOf`. */
export function rowSql(plan: Plan, selection: Selection, { entered, cut, lostSpends }: Grain): string {
  const carried = carriedNames(plan, selection)
  // Nothing at all adds up to an array without numbers.
  const sums = (suffix: Suffix): string => `arrayResize(sumForEach(leaf.n${suffix}), ${carried.length})`
  const numberAt = (name: string, suffix: Suffix): string => {
    const place = carried.indexOf(name)
    if (place === -1) throw new Error(`${name} is not among the numbers of a row`)
    return `${sums(suffix)}[${place + 1}]`
  }
  const beside = [
    ...enteredNames(plan, selection).map(entered),
    ...suffixesOf(selection).flatMap((suffix) =>
      cutParts(plan, selection).map((part) => cut((cuts) => numberAt(stretchName(part, cuts, suffix), suffix))),
    ),
    numberAt('players', ''),
    'max(leaf.rate_missing)',
    lostSpends,
  ]
  return `arrayConcat(${suffixesOf(selection).map(sums).join(', ')}, [${beside.join(', ')}])`
}

/** A clause that lets expressions over `n` speak of its numbers by their names. */
export const namedSql = (plan: Plan, selection: Selection): string =>
  `with ${numbersOf(plan, selection)
    .flatMap((name, index) => (name === UNREAD ? [] : [`n[${index + 1}] as ${name}`]))
    .join(', ')}`
