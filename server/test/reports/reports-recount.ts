// What the general report must answer for a question, told fact by fact: groups, totals, spend without a place, order and page.
import type { GeneralReportRequest, MetricCondition, MetricKey } from '@tributary/contract/reports/general'
import { type DimensionName, dimensionOf, isDateDimension } from '@tributary/contract/reports/traffic'
import type { Fact, Value } from './reports-oracle.ts'
import { hundredths } from './reports-oracle-money.ts'
import { isIncomePartial, isIncomeUnknown } from './reports-recount-income.ts'
import { addDays } from './reports-world.ts'

type Filter = GeneralReportRequest['filter']
type Numbers = Record<string, number | string | null | undefined>

export interface CountedRow {
  id: Value
  m: Numbers
  children: CountedRow[]
}

export interface Counted {
  rows: CountedRow[]
  lost: { id: string; m: Numbers }[]
  total: Numbers
  items: number
  players: number
  isRateMissing: boolean
}

interface Span {
  from: string
  to: string
}

const FILTER_VALUES: Record<string, (fact: Fact) => Value | number[]> = {
  advertisers: (fact) => fact.dims.advertiser ?? 0,
  offers: (fact) => fact.dims.offer ?? 0,
  products: (fact) => fact.dims.product ?? 0,
  paymentModels: (fact) => fact.dims.payment_model ?? 0,
  partners: (fact) => fact.dims.partner ?? 0,
  partnerGroups: (fact) => fact.lists.partnerGroups ?? [],
  managers: (fact) => fact.lists.managers ?? [],
  partnerTags: (fact) => fact.lists.partnerTags ?? [],
  offerTags: (fact) => fact.lists.offerTags ?? [],
  streams: (fact) => fact.dims.stream ?? 0,
  trafficSources: (fact) => fact.dims.traffic_source ?? 0,
  landings: (fact) => fact.dims.landing ?? 0,
  countries: (fact) => fact.dims.country ?? 0,
  geoCountry: (fact) => fact.dims.actual_country ?? 0,
  affiliateId: (fact) => fact.dims.affiliate_id ?? '',
  siteId: (fact) => fact.dims.site_id ?? '',
  subId: (fact) => fact.dims.sub_id ?? '',
  promocode: (fact) => fact.dims.promocode ?? '',
  mediaId: (fact) => fact.dims.media ?? '',
  playerOuterId: (fact) => fact.dims.player_outer_id ?? '',
  clickId: (fact) => fact.dims.click ?? '',
}

type Asked = string | Value[] | { in: Value[] } | { nin: Value[] } | { like: string }

function meetsFilter(name: string, asked: Asked, fact: Fact): boolean {
  const value = FILTER_VALUES[name]?.(fact) ?? 0
  const has = (values: Value[]): boolean =>
    Array.isArray(value)
      ? values.some((one) => value.includes(Number(one))) || (value.length === 0 && values.includes(0))
      : values.includes(value)
  if (typeof asked === 'string') return asked === '' || has([asked])
  if (Array.isArray(asked)) return asked.length === 0 || has(asked)
  if ('in' in asked) return asked.in.length === 0 || has(asked.in)
  if ('nin' in asked) return asked.nin.length === 0 || !has(asked.nin)
  return String(value).toLowerCase().includes(asked.like.toLowerCase())
}

const within = (day: string, { from, to }: Span): boolean => from <= day && day <= to

const DEPOSIT_PARTS = ['new_deposits', 'deposits_count', 'deposits_amount', 'first_day_amount', 'first_amount']

/** The fact as it counts in a period under the filter; null when it does not. */
export function countsAs(fact: Fact, filter: Filter, span: Span, scope: readonly number[] | null): Fact | null {
  if (!within(fact.day, span)) return null
  if (scope !== null && ![fact.dims.partner, fact.owner ?? fact.dims.partner].every((id) => scope.includes(Number(id))))
    return null
  if ((filter.activity !== 'all' || filter.baseLine !== 'all') && fact.kind !== 'day') return null
  if (filter.baseLine !== 'all' && fact.isQualified !== (filter.baseLine === 'qualified')) return null
  if (filter.activity === 'ftd' && !within(fact.firstDepositDay, span)) return null
  if (filter.activity === 'new_players' && !within(fact.registeredDay, span)) return null
  if (filter.firstDeposit !== undefined) {
    const [from = '', to = ''] = filter.firstDeposit.split('|')
    if (!within(fact.firstDepositDay, { from, to })) return null
  }
  for (const name of Object.keys(FILTER_VALUES)) {
    const asked = filter[name as keyof Filter] as Asked | undefined
    if (asked !== undefined && !meetsFilter(name, asked, fact)) return null
  }
  const kept =
    filter.activity === 'deposits' ? DEPOSIT_PARTS : filter.activity === 'registrations' ? ['registrations'] : null
  if (kept === null) return fact
  const n = Object.fromEntries(Object.entries(fact.n).filter(([part]) => kept.includes(part)))
  const { isReported: _isReported, ...counted } = fact
  return Object.values(n).some((value) => value !== 0n) ? { ...counted, n } : null
}

/** Formulas as docs/domain.md states them. */
export function measure(facts: Fact[], suffix: string): Numbers {
  const sum = (part: string) => facts.reduce((total, fact) => total + (fact.n[part] ?? 0n), 0n)
  const money = (value: bigint) => hundredths(value, 10_000n)
  const [unique, registrations, nd, count] = [
    sum('unique_clicks'),
    sum('registrations'),
    sum('new_deposits'),
    sum('deposits_count'),
  ]
  const [amount, first, bets, income] = [sum('deposits_amount'), sum('first_amount'), sum('bets'), sum('income')]
  const spend = sum('player_spend') + sum('entered_spend')
  const bettors = new Set(facts.filter((fact) => (fact.n.bets ?? 0n) > 0n).map((fact) => fact.player)).size
  const known = (value: number | null) => (isIncomeUnknown(facts) ? null : value)
  const named: Numbers = {
    cc: Number(sum('clicks')),
    uc: Number(unique),
    click_reg: hundredths(registrations * 100n, unique),
    cr: Number(registrations),
    nd: Number(nd),
    reg_dep: hundredths(nd * 100n, registrations),
    deposits: Number(count),
    deposits_amount: money(amount),
    first_day_amount: money(sum('first_day_amount')),
    first_amount: money(first),
    bets: money(bets),
    avg_bet: hundredths(bets, 10_000n * BigInt(bettors)),
    avg_check: hundredths(amount, 10_000n * count),
    avg_new_check: hundredths(first, 10_000n * nd),
    income: known(money(income)),
    s: money(spend),
    profit: known(money(income - spend)),
    cfd: hundredths(spend, 10_000n * nd),
    roi: known(hundredths((income - spend) * 100n, spend)),
    ...(isIncomePartial(facts) && { isPartial: 'yes' }),
  }
  return Object.fromEntries(Object.entries(named).map(([key, value]) => [`${key}${suffix}`, value]))
}

interface OwnFormula {
  title: string
  expression: string
  unit: 'money' | 'count' | 'percent'
  /** Hundredths of the sums, half-up, by whole numbers alone. */
  count: (sum: (part: string) => bigint) => number | null
}

/** Columns of one's own, each with the same told by hand. Money is in ten-thousandths. */
export const OWN_FORMULAS: readonly OwnFormula[] = [
  { title: 'profit', expression: 'income - s', unit: 'money', count: (sum) => hundredths(profitOf(sum), 10_000n) },
  {
    title: 'profit of a deposit',
    expression: '(income − s) ÷ nd',
    unit: 'money',
    count: (sum) => hundredths(profitOf(sum), 10_000n * sum('new_deposits')),
  },
  {
    title: 'thousandfold',
    expression: 's * 1000 - cc',
    unit: 'count',
    count: (sum) => hundredths(spendOf(sum) * 1000n - sum('clicks') * 10_000n, 10_000n),
  },
  {
    title: 'ratio of a ratio',
    expression: 'roi / 100 + reg_dep / 100',
    unit: 'percent',
    count(sum) {
      const [spend, registrations] = [spendOf(sum), sum('registrations')]
      return hundredths(100n * (profitOf(sum) * registrations + sum('new_deposits') * spend), spend * registrations)
    },
  },
]
const spendOf = (sum: (part: string) => bigint): bigint => sum('player_spend') + sum('entered_spend')
const profitOf = (sum: (part: string) => bigint): bigint => sum('income') - spendOf(sum)

/** Those of the request under their keys: the ids are the places in the list, from 1. */
function measureOwn(facts: Fact[], suffix: string, { formulas, sort }: GeneralReportRequest): Numbers {
  const sum = (part: string) => facts.reduce((total, fact) => total + (fact.n[part] ?? 0n), 0n)
  return Object.fromEntries(
    OWN_FORMULAS.flatMap(({ count, expression }, place) => {
      const isAsked = formulas === 'all' || formulas.includes(place + 1)
      const isSorted = sort?.by.replace(/_2$/, '') === `formula:${place + 1}`
      const isUnknown = /income|roi/.test(expression) && isIncomeUnknown(facts)
      return isAsked || isSorted ? [[`formula:${place + 1}${suffix}`, isUnknown ? null : count(sum)]] : []
    }),
  )
}

/** What only its link tells about spend. */
const OF_LINK = ['offer', 'advertiser', 'product', 'payment_model', 'affiliate_id', 'sub_id', 'site_id_sub_id']

const ARROWS = ['avg_check', 'cfd', 'roi']

export function recount(
  facts: readonly Fact[],
  request: GeneralReportRequest,
  scope: readonly number[] | null,
  isFlat = false,
): Counted {
  const { filter } = request
  const levels = [...new Set([filter.groupBy, filter.secondGroupBy, filter.thirdGroupBy, filter.fourthGroupBy])].filter(
    (level) => level !== 'off',
  )
  const spans = spansOf(filter)
  const counted = spans.map((span) =>
    facts.map((fact) => countsAs(fact, filter, span, scope)).filter((fact) => fact !== null),
  )
  const both = [...new Set(counted.flat())]
  const keyOf = (fact: Fact, depth: number) => JSON.stringify(levels.slice(0, depth).map((level) => fact.dims[level]))
  const isTraffic = (fact: Fact) => fact.kind !== 'spend'
  const isBlind = levels.some((level) => ['landing', 'promocode', 'actual_country', 'player_outer_id'].includes(level))
  const carried = new Set(both.filter(isTraffic).map((fact) => keyOf(fact, levels.length)))
  const isUntold = ({ dims, isWithoutLink }: Fact) =>
    isWithoutLink === true &&
    levels.some((level) =>
      ['traffic_source', 'site_id'].includes(level) ? [0, ''].includes(dims[level] ?? '') : OF_LINK.includes(level),
    )
  const isLost = (fact: Fact) =>
    fact.kind === 'spend' &&
    levels.length > 0 &&
    (isBlind || isUntold(fact) || !carried.has(keyOf(fact, levels.length)))
  const numbers = (choose: (fact: Fact) => boolean): Numbers => {
    const m = Object.assign(
      {},
      ...spans.flatMap((_, index) => {
        const chosen = (counted[index] ?? []).filter(choose)
        const suffix = index === 0 ? '' : '_2'
        return [measure(chosen, suffix), measureOwn(chosen, suffix, request)]
      }),
    ) as Numbers
    if (spans.length === 2) for (const name of ARROWS) m[`${name}_arrow`] = arrow(m[name], m[`${name}_2`])
    return m
  }
  const grow = (depth: number, parent: string | null): CountedRow[] => {
    const level = levels[depth - 1]
    if (level === undefined) return []
    const ids = new Map<string, Value>()
    for (const fact of both)
      if (isTraffic(fact) && (parent === null || keyOf(fact, depth - 1) === parent))
        ids.set(keyOf(fact, depth), fact.dims[level] ?? 0)
    const rows = [...ids].map(([key, id]) => ({
      id,
      m: numbers((fact) => !isLost(fact) && keyOf(fact, depth) === key),
      children: grow(depth + 1, key),
    }))
    return sortRows(rows, level, request)
  }
  const meets = (m: Numbers) =>
    Object.entries(request.cfFilter).every(
      ([key, condition]) => condition === undefined || holds(m[key as MetricKey] ?? null, condition),
    )
  const lostKey = ({ dims, day }: Fact) => [dims.country, dims.partner, dims.stream, day].join(':')
  const lostKeys = [...new Set(both.filter(isLost).map(lostKey))]
  const lost = lostKeys
    .map((id) => ({ id, m: numbers((fact) => isLost(fact) && lostKey(fact) === id) }))
    .filter(
      ({ id, m }) =>
        both.some((fact) => isLost(fact) && lostKey(fact) === id && fact.n.entered_spend !== 0n) && meets(m),
    )
  const flat = (): CountedRow[] => {
    const groups = new Map(both.filter(isTraffic).map((fact) => [keyOf(fact, levels.length), fact.dims]))
    const all = [...groups].map(([id, dims]) => ({
      id,
      dims,
      m: numbers((fact) => !isLost(fact) && keyOf(fact, levels.length) === id),
      children: [],
    }))
    return sortFlat(all, levels, request).map(({ id, m, children }) => ({ id, m, children }))
  }
  const rows = (isFlat ? flat() : grow(1, null)).filter(({ m }) => levels.length > 0 && meets(m))
  const isLimited = Object.values(request.cfFilter).some(
    (condition) => condition !== undefined && Object.keys(condition).length > 0,
  )
  const kept = new Set(rows.map(({ id }) => id))
  const keptLost = new Set(lost.map(({ id }) => id))
  const isShown = (fact: Fact) =>
    isLost(fact)
      ? keptLost.has(lostKey(fact))
      : kept.has(isFlat ? keyOf(fact, levels.length) : (fact.dims[levels[0] ?? ''] ?? ''))
  const isInTotal = isLimited && levels.length > 0 ? isShown : () => true
  return {
    ...page(rows, lost, request),
    total: numbers(isInTotal),
    items: rows.length + lost.length,
    players: new Set(
      (counted[0] ?? []).filter((fact) => fact.kind === 'day' && isInTotal(fact)).map((fact) => fact.player),
    ).size,
    isRateMissing: both.some((fact) => fact.rateMissing),
  }
}

function spansOf(filter: Filter): Span[] {
  const first = { from: filter.dateFrom ?? '', to: filter.dateTo ?? '' }
  if (filter.secondDateTo === undefined) return [first]
  const length = (Date.parse(first.to) - Date.parse(first.from)) / 86_400_000
  return [first, { from: filter.secondDateFrom ?? addDays(filter.secondDateTo, -length), to: filter.secondDateTo }]
}

function arrow(now: unknown, before: unknown): string | null {
  if (typeof now !== 'number' || typeof before !== 'number' || now === before) return null
  return now > before ? 'up' : 'down'
}

function holds(value: unknown, { eq, gt, gte, lt, lte }: MetricCondition): boolean {
  if (typeof value !== 'number') return [eq, gt, gte, lt, lte].every((bound) => bound === undefined)
  return (
    (eq === undefined || value === eq) &&
    (gt === undefined || value > gt) &&
    (gte === undefined || value >= gte) &&
    (lt === undefined || value < lt) &&
    (lte === undefined || value <= lte)
  )
}

const order = (a: Value, b: Value) => (a < b ? -1 : a > b ? 1 : 0)

/** Titles in these tests are the ids themselves, so their alphabet is that of 'entity <id>'. */
function titleAt(level: DimensionName, id: Value): string {
  const isReference = dimensionOf(level).value === 'reference'
  return isReference ? (id === 0 ? '' : titleOf(Number(id))) : String(id).toLowerCase()
}

/** By the asked number and then by the groups from left to right, or by the groups alone. */
function sortFlat<R extends { dims: Record<string, Value>; m: Numbers }>(
  rows: R[],
  levels: readonly DimensionName[],
  { sort }: GeneralReportRequest,
): R[] {
  const byGroups = (a: R, b: R) => {
    for (const level of levels) {
      const [left, right] = [a.dims[level] ?? 0, b.dims[level] ?? 0]
      const found = order(titleAt(level, left), titleAt(level, right)) || order(left, right)
      if (found !== 0) return found
    }
    return 0
  }
  const sign = sort?.desc === true ? -1 : 1
  if (sort === undefined || sort.by === 'group') return rows.sort((a, b) => sign * byGroups(a, b))
  const key = sort.by.replace(/^spend/, 's')
  return rows.sort((a, b) => {
    const [left, right] = [a.m[key] ?? null, b.m[key] ?? null]
    if (left === right) return byGroups(a, b)
    if (left === null) return 1
    if (right === null) return -1
    return sign * (Number(left) - Number(right))
  })
}

function sortRows(rows: CountedRow[], level: DimensionName, { sort }: GeneralReportRequest): CountedRow[] {
  const isDate = isDateDimension(level)
  const { by, desc } = sort ?? (isDate ? { by: 'group', desc: false } : { by: 'cc', desc: true })
  const sign = desc ? -1 : 1
  if (by === 'group')
    return rows.sort((a, b) => sign * (order(titleAt(level, a.id), titleAt(level, b.id)) || order(a.id, b.id)))
  const key = by.replace(/^spend/, 's')
  return rows.sort((a, b) => {
    const [left, right] = [a.m[key] ?? null, b.m[key] ?? null]
    if (left === right) return order(a.id, b.id)
    if (left === null) return 1
    if (right === null) return -1
    return sign * (Number(left) - Number(right))
  })
}

/** Titles that do not stand in the order of their ids. */
export const titleOf = (id: number): string => `${['c', 'a', 'b'][id % 3]} ${id}`

function page(
  rows: CountedRow[],
  lost: Counted['lost'],
  { pagination: { page, limit } }: GeneralReportRequest,
): Pick<Counted, 'rows' | 'lost'> {
  const sorted = lost.sort((a, b) => lostOrder(a.id, b.id))
  if (limit === -1) return { rows, lost: sorted }
  const start = (page - 1) * limit
  const before = Math.max(0, start - rows.length)
  return {
    rows: rows.slice(start, start + limit),
    lost: sorted.slice(before, Math.max(0, start - rows.length + limit)),
  }
}

function lostOrder(a: string, b: string): number {
  const [left, right] = [a.split(':'), b.split(':')]
  if (left[3] !== right[3]) return String(left[3]) < String(right[3]) ? 1 : -1
  for (const place of [0, 1, 2]) if (left[place] !== right[place]) return Number(left[place]) - Number(right[place])
  return 0
}
