// From the sums of each source to the page of a report: what compile.ts has the engine do with very many groups, done here with few. Pure.

import { ALL } from '@tributary/contract/limits'
import { isDateDimension } from '@tributary/contract/reports/traffic'
import { NAMED_LOST_GROUPS } from './compile.ts'
import { addWhole, type Derive, type Whole } from './derive.ts'
import { meetsLimits } from './meets.ts'
import { carriedNames, grainPlaces, suffixesOf } from './numbers.ts'
import { sortAt } from './order.ts'
import type { Plan } from './plan.ts'
import type { Question } from './question.ts'
import { type GroupId, type Tree, type TreeRow, toWhole } from './tree.ts'

/** A group with all that is inside. Thousands of them are made for a report: what is not needed is not made. */
interface Group {
  readonly id: GroupId
  /** Undefined in innermost groups. */
  readonly below: Map<GroupId, Group> | undefined
  /** As `carriedNames` says, period by period, and then entered spend of each period. */
  readonly n: Whole[]
  /** Entered spend that innermost groups with traffic carry. */
  placed: readonly Whole[]
  traffic: Whole
  lostSpends: number
}

/** What the rows of a question look like, and what becomes of them. */
interface Shape {
  readonly levels: number
  /** Numbers that the array of a row may hold. */
  readonly carried: number
  readonly periods: number
  readonly hasEntered: boolean
  /** The numbers of a group without facts. */
  readonly nothing: readonly Whole[]
  readonly isSpendPlaceable: boolean
  readonly cuts: readonly (readonly number[])[]
  readonly players: number
}

function shapeOf(question: Question, plan: Plan): Shape {
  const hasEntered = plan.parts.includes('entered_spend')
  const [carried, periods] = [carriedNames(plan, question).length, suffixesOf(question).length]
  return {
    levels: question.levels.length,
    carried,
    periods,
    hasEntered,
    nothing: zeros((carried + (hasEntered ? 1 : 0)) * periods),
    isSpendPlaceable: plan.isSpendPlaceable,
    ...grainPlaces(plan, question),
  }
}

/** Facts as columns, which is how very many numbers are read soonest: of each group of a source its groups, flags and numbers. */
interface Facts {
  /** Level by level. */
  readonly ids: readonly (readonly GroupId[])[]
  /** Period by period, with a second one: whether the facts lie in it. */
  readonly isWithin: readonly (readonly unknown[])[]
  /** How many numbers each has. */
  readonly lengths: readonly number[]
  /** One after the other: as many of `carriedNames` as are given, entered spend where it is asked for, and traffic. */
  readonly numbers: readonly unknown[]
}

/**
 * `row`: [ids of a level…, in1, in2 (with a second period), lengths, numbers, whether a rate is missing], any number of facts for a group.
 * Levels beyond `depth` are summed up, not told. `ranks` as for `sortSql`.
 */
export function sumUp(
  row: readonly unknown[],
  question: Question,
  plan: Plan,
  depth: number,
  derive: Derive,
  ranks: readonly number[] | null,
): Tree {
  const shape = shapeOf(question, plan)
  const root = makeGroup('', 0, shape)
  addFacts(root, readFacts(row, shape), shape)
  const lostGroups: GroupId[][] = []
  closeGroup(root, [], shape, lostGroups)
  const tell = (group: Group, level: number): TreeRow => ({
    id: group.id,
    m: derive(numbersAt(group, level, shape)),
    children: level === depth ? [] : shownBelow(group).map((child) => tell(child, level + 1)),
  })
  const { page, items } =
    depth === 0 ? { page: [], items: 0 } : choosePage(shownBelow(root), question, shape, derive, ranks)
  return {
    rows: page.map((group) => tell(group, 1)),
    total: numbersAt(root, 0, shape),
    items,
    players: Number(root.n[shape.players] ?? 0),
    isRateMissing: Number(row.at(-1)) > 0,
    lostSpends: root.lostSpends,
    lostGroups,
  }
}

/** Made of fractions first: so the engine keeps doubles in it, and in its copies, from the beginning. */
const zeros = (count: number): Whole[] => new Array<Whole>(count).fill(0.5).fill(0)

const makeGroup = (id: GroupId, level: number, { levels, nothing }: Shape): Group => ({
  id,
  below: level === levels ? undefined : new Map(),
  n: nothing.slice(),
  placed: NONE,
  traffic: 0,
  lostSpends: 0,
})

const NONE: readonly Whole[] = []

function readFacts(row: readonly unknown[], { levels, periods }: Shape): Facts {
  const flags = periods === 1 ? 0 : periods
  // The form of the statement's own select, here and in the other two.
  const columns = row as readonly (readonly unknown[])[]
  return {
    ids: columns.slice(0, levels) as readonly (readonly GroupId[])[],
    isWithin: columns.slice(levels, levels + flags),
    lengths: columns[levels + flags] as readonly number[],
    numbers: columns[levels + flags + 1] ?? [],
  }
}

function addFacts(root: Group, { ids, isWithin, lengths, numbers }: Facts, shape: Shape): void {
  const { carried, periods, hasEntered } = shape
  let from = 0
  for (let place = 0; place < lengths.length; place++) {
    const leaf = leafOf(root, ids, place, shape)
    const end = from + Number(lengths[place])
    for (let period = 0; period < periods; period++) {
      if (periods > 1 && Number(isWithin[period]?.[place]) === 0) continue
      addTo(leaf.n, period * carried, numbers, from, hasEntered ? end - 2 : end - 1)
      if (hasEntered) addTo(leaf.n, periods * carried + period, numbers, end - 2, end - 1)
    }
    leaf.traffic = plus(leaf.traffic, numbers[end - 1])
    from = end
  }
}

function leafOf(root: Group, ids: Facts['ids'], place: number, shape: Shape): Group {
  let group = root
  for (let level = 0; level < shape.levels; level++) {
    const id = ids[level]?.[place] ?? ''
    let next = group.below?.get(id)
    if (next === undefined) {
      next = makeGroup(id, level + 1, shape)
      group.below?.set(id, next)
    }
    group = next
  }
  return group
}

/** Adds numbers from one place to before another. */
function addTo(sums: Whole[], into: number, numbers: readonly unknown[], from = 0, end = numbers.length): void {
  for (let place = from; place < end; place++) {
    const number = numbers[place]
    const to = into + place - from
    if (number !== 0) sums[to] = plus(sums[to] ?? 0, number)
  }
}

const MOST = Number.MAX_SAFE_INTEGER

/** As `addWhole`; nearly all numbers are small. */
function plus(known: Whole, number: unknown): Whole {
  if (typeof known === 'number' && typeof number === 'number') {
    const sum = known + number
    if (sum <= MOST && sum >= -MOST && number <= MOST && number >= -MOST) return sum
  }
  return addWhole(known, typeof number === 'bigint' ? number : toWhole(number))
}

/** Sums up what is inside, from the innermost groups outwards; `path` leads to the group. */
function closeGroup(group: Group, path: GroupId[], shape: Shape, lostGroups: GroupId[][]): void {
  if (group.below === undefined) {
    closeLeaf(group, path, shape, lostGroups)
    return
  }
  const placed = zeros(shape.hasEntered ? shape.periods : 0)
  for (const child of group.below.values()) {
    path.push(child.id)
    closeGroup(child, path, shape, lostGroups)
    path.pop()
    addTo(group.n, 0, child.n)
    addTo(placed, 0, child.placed)
    group.traffic = plus(group.traffic, child.traffic)
    group.lostSpends += child.lostSpends
  }
  group.placed = placed
}

/** Entered spend stands where there is traffic, in reports that can carry any; what has no place is counted, and named as far as it is asked. */
function closeLeaf(leaf: Group, path: readonly GroupId[], shape: Shape, lostGroups: GroupId[][]): void {
  if (!shape.hasEntered) return
  const entered = enteredOf(leaf, shape)
  const isPlaced = shape.isSpendPlaceable && leaf.traffic > 0
  leaf.placed = isPlaced ? entered : zeros(shape.periods)
  if (isPlaced || shape.levels === 0 || entered.every((sum) => Number(sum) === 0)) return
  leaf.lostSpends = 1
  if (shape.isSpendPlaceable && lostGroups.length < NAMED_LOST_GROUPS) lostGroups.push([...path])
}

const enteredOf = ({ n }: Group, { carried, periods }: Shape): Whole[] => n.slice(carried * periods)

/** A bot's group, which has facts but shows nothing, makes no row. */
const shownBelow = ({ below }: Group): Group[] => [...(below?.values() ?? [])].filter(({ traffic }) => traffic > 0)

/** In the order of `numbersOf`; that a rate is missing is told of the whole alone. */
function numbersAt({ n, placed, lostSpends }: Group, level: number, shape: Shape): Whole[] {
  const { carried, periods, cuts, players } = shape
  const cut = (cuts[level] ?? []).map((place) => n[place] ?? 0)
  const sums = level === 0 ? n : [...n.slice(0, carried * periods), ...placed]
  return [...sums, ...cut, n[players] ?? 0, 0, lostSpends]
}

interface Placed {
  readonly group: Group
  readonly key: number | string | null
}

/** First-level rows that meet the conditions, in their order, cut to the page. */
function choosePage(
  groups: readonly Group[],
  question: Question,
  shape: Shape,
  derive: Derive,
  ranks: readonly number[] | null,
): { page: Group[]; items: number } {
  const [first] = question.levels
  const isDate = first !== undefined && isDateDimension(first)
  const { by, desc } = sortAt(question.sort, first)
  const places = new Map(ranks?.map((id, index) => [id, index + 1]))
  const placed: Placed[] = []
  for (const group of groups) {
    const isByGroup = by === 'group'
    const m = isByGroup && question.limits.length === 0 ? {} : derive(numbersAt(group, 1, shape))
    if (!meetsLimits(m, question.limits)) continue
    const key = isByGroup
      ? isDate || places.size === 0
        ? group.id
        : (places.get(Number(group.id)) ?? 0)
      : (m[by] ?? null)
    placed.push({ group, key })
  }
  const direction = desc ? -1 : 1
  const tie = by === 'group' ? direction : 1
  placed.sort((a, b) => compareKeys(a.key, b.key, direction) || tie * compareIds(a.group.id, b.group.id))
  const { limit, page } = question
  const chosen = limit === ALL ? placed : placed.slice((page - 1) * limit, page * limit)
  return { page: chosen.map(({ group }) => group), items: placed.length }
}

/** What has no number stands last, whatever the direction. */
function compareKeys(a: Placed['key'], b: Placed['key'], direction: number): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -direction : direction
}

const compareIds = (a: GroupId, b: GroupId): number => (a < b ? -1 : a > b ? 1 : 0)
