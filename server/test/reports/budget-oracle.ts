// Computes the budget plan a second time, from single facts and plan rows. It shares only wire names with the product.
import type { Fact } from './reports-oracle.ts'
import { convert, ratio, units } from './reports-oracle-money.ts'
import { addDays, type World } from './reports-world.ts'

export interface PlanRow {
  id: number
  advertiser: number
  country: number
  month: string
  planned: number
  /** Null: the report currency. */
  currency: number | null
  isActive: boolean
}
export interface PartRow extends PlanRow {
  partner: number
}

export interface BudgetQuestion {
  world: World
  facts: readonly Fact[]
  plans: readonly PlanRow[]
  parts: readonly PartRow[]
  /** 'YYYY-MM' */
  month: string
  today: string
  scope: readonly number[] | null
  partners: readonly number[]
  groups: readonly number[]
  riseFactor: number
  overlimitDays: number
  deficitPercentage: number
}

const spendOf = ({ n }: Fact): bigint => (n.player_spend ?? 0n) + (n.entered_spend ?? 0n)
const sum = (list: readonly bigint[]): bigint => list.reduce((total, one) => total + one, 0n)
const cellOf = ({ dims }: Fact): string => `${dims.advertiser}:${dims.country}`
/** The floor of the amount in cents, rounded half-up away from zero. */
const floor = (exact: bigint): string => {
  const size = exact < 0n ? -exact : exact
  const cents = ((size + 50n) / 100n) * 100n
  const amount = exact < 0n ? -cents : cents
  const rest = ((amount % 10_000n) + 10_000n) % 10_000n
  return String((amount - rest) / 10_000n)
}

/** The facts of a period; spend without a partner's traffic is separate. */
function cut(facts: readonly Fact[], from: string, to: string) {
  const own = facts.filter(({ day }) => day >= from && day <= to)
  const placeOf = (fact: Fact) => `${cellOf(fact)}:${fact.dims.partner}`
  const busy = new Set(own.filter(({ kind }) => kind !== 'spend').map(placeOf))
  const isCarried = (fact: Fact) => fact.kind !== 'spend' || busy.has(placeOf(fact))
  return { all: own, carried: own.filter(isCarried), lost: own.filter((fact) => !isCarried(fact)) }
}

interface CellFigures {
  actual: bigint
  deps: bigint
  previous: bigint
  previousDeps: bigint
  recent: bigint
  planned: bigint | null
  isUnknown: boolean
  /** The network has a plan, whoever looks: spend of partners without a part of it is planned, too. */
  isPlanned: boolean
  prediction: bigint | null
  basis: string | null
  isUncertain: boolean
}

export function tellBudget(question: BudgetQuestion) {
  const { world, month, today, scope, partners, groups } = question
  const first = `${month}-01`
  const next = `${addDays(first, 31).slice(0, 7)}-01`
  const last = addDays(next, -1)
  const length = Number(last.slice(8))
  const hasBegun = today >= first
  const isNow = hasBegun && today <= last
  const complete = !hasBegun ? 0 : isNow ? Number(today.slice(8)) - 1 : length
  const member = (partner: number) =>
    world.partners.find(({ id }) => id === partner)?.groups.some(({ group }) => groups.includes(group)) === true
  const isNarrowed = scope !== null || partners.length > 0 || groups.length > 0
  const isSeen = (partner: number) =>
    (scope === null || scope.includes(partner)) &&
    (partners.length === 0 || partners.includes(partner)) &&
    (groups.length === 0 || member(partner))
  const seen = question.facts.filter(({ dims }) => !isNarrowed || isSeen(Number(dims.partner)))
  const nothing = { all: [], carried: [], lost: [] }
  const now = hasBegun ? cut(seen, first, [today, last].toSorted()[0] ?? today) : nothing
  const done = complete === 0 ? [] : seen.filter(({ day }) => day >= first && day <= addDays(first, complete - 1))
  const before = cut(seen, `${addDays(first, -1).slice(0, 7)}-01`, addDays(first, -1))
  const pace = isNow ? cut(seen, addDays(today, -7), addDays(today, -1)) : nothing
  const inReport = (row: PlanRow) => {
    const amount = units(row.planned)
    return row.currency === null ? amount : convert(world, amount, row.currency, 1, first)
  }
  const plans = question.plans.filter((row) => row.isActive && row.month === first)
  const parts = question.parts.filter(
    (row) => row.isActive && row.month === first && (!isNarrowed || isSeen(row.partner)),
  )
  const keyOf = (row: PlanRow) => `${row.advertiser}:${row.country}`
  const keys = new Set([
    ...[...now.carried, ...before.carried, ...pace.carried].map(cellOf),
    ...(isNarrowed ? [] : plans.map(keyOf)),
    ...parts.map(keyOf),
  ])
  const deps = (facts: readonly Fact[]) => sum(facts.map(({ n }) => n.new_deposits ?? 0n))
  const spent = (facts: readonly Fact[]) => sum(facts.map(spendOf))

  function figuresOf(key: string): CellFigures {
    const [advertiser, country] = key.split(':').map(Number)
    const at = (facts: readonly Fact[]) => facts.filter((fact) => cellOf(fact) === key)
    const actual = spent(at(now.carried))
    const previous = spent(at(before.carried))
    const newDeps = deps(at(done))
    const amounts = (isNarrowed ? parts : plans).filter((row) => keyOf(row) === key).map(inReport)
    const known = amounts.filter((amount) => amount !== null)
    let [prediction, basis, isUncertain]: [bigint | null, string | null, boolean] = [null, null, false]
    if (complete === length) [prediction, basis] = [actual, 'actual']
    else if (complete === 0) [prediction, basis] = [previous, 'previous_spend']
    else {
      const bases: [string, Fact[]][] = [
        ['cell', at(before.carried)],
        ['advertiser', before.carried.filter(({ dims }) => dims.advertiser === advertiser)],
        ['country', before.carried.filter(({ dims }) => dims.country === country)],
      ]
      const found = bases.find(([, facts]) => deps(facts) > 0n)
      if (found !== undefined) {
        const [name, facts] = found
        prediction = ratio(spent(facts) * newDeps * BigInt(length), deps(facts) * BigInt(complete))
        basis = name
        isUncertain = deps(facts) < 10n || newDeps < 10n
      }
    }
    if (prediction !== null && prediction < actual) prediction = actual
    return {
      actual,
      deps: newDeps,
      previous,
      previousDeps: deps(at(before.carried)),
      recent: spent(at(pace.carried)),
      planned: known.length === 0 ? null : sum(known),
      isUnknown: known.length < amounts.length,
      isPlanned: plans.some((row) => keyOf(row) === key),
      prediction,
      basis,
      isUncertain,
    }
  }

  const add = (
    cells: readonly CellFigures[],
    lost = { actual: 0n, previous: 0n, recent: 0n, deps: 0n },
  ): CellFigures => {
    const planned = cells.flatMap((cell) => cell.planned ?? [])
    const bases = [...new Set(cells.flatMap(({ basis }) => basis ?? []))]
    const newDeps = sum(cells.map((cell) => cell.deps))
    const previousDeps = sum(cells.map((cell) => cell.previousDeps))
    // Without a complete day the previous month's spend is expected again, also where no cell carries it.
    const expected = complete === 0 && lost.previous > lost.actual ? lost.previous : lost.actual
    const isBlank = bases.length === 0 && expected === 0n
    if (expected !== 0n && bases.length === 0 && complete === 0) bases.push('previous_spend')
    if (expected !== 0n && bases.length === 0 && complete === length) bases.push('actual')
    return {
      actual: sum(cells.map(({ actual }) => actual)) + lost.actual,
      deps: newDeps,
      previous: sum(cells.map(({ previous }) => previous)) + lost.previous,
      previousDeps,
      recent: sum(cells.map(({ recent }) => recent)) + lost.recent,
      planned: planned.length === 0 ? null : sum(planned),
      isUnknown: cells.some(({ isUnknown }) => isUnknown),
      isPlanned: cells.some(({ isPlanned }) => isPlanned),
      prediction: isBlank ? null : sum(cells.map(({ prediction, actual }) => prediction ?? actual)) + expected,
      basis: bases.length > 1 ? 'mixed' : (bases[0] ?? null),
      isUncertain:
        bases.length > 0 &&
        bases[0] !== 'previous_spend' &&
        bases[0] !== 'actual' &&
        (newDeps < 10n || previousDeps < 10n),
    }
  }

  const daysLeft = ({ planned, actual, recent }: CellFigures): number | null => {
    if (!isNow || planned === null) return null
    if (actual > planned) return 0
    return recent <= 0n ? null : Number(((planned - actual) * 7n) / recent)
  }

  const show = (figures: CellFigures) => ({
    actual_budget: floor(figures.actual),
    free_budget: figures.isUnknown && figures.planned === null ? null : floor((figures.planned ?? 0n) - figures.actual),
    previous: floor(figures.previous),
    prediction: figures.prediction === null ? null : floor(figures.prediction),
    prediction_basis: figures.basis,
    prediction_uncertain: figures.isUncertain,
    days_to_overlimit: daysLeft(figures),
  })

  const warn = (figures: CellFigures, partsAbove: boolean): string[] => {
    const { planned, actual, prediction, previous, isUnknown, isPlanned } = figures
    const left = daysLeft(figures)
    const isOver = planned !== null && actual > planned
    const allowed = planned === null ? 0n : ratio(planned * units(100 + question.deficitPercentage), 100n)
    return [
      ...(isOver ? ['overlimit'] : []),
      ...(!isOver && left !== null && left <= question.overlimitDays && left < length - complete
        ? ['overlimit_expected']
        : []),
      ...(planned !== null && prediction !== null && prediction * 10_000n > allowed ? ['budget_deficit'] : []),
      ...(prediction !== null && previous > 0n && prediction * 10_000n > previous * units(question.riseFactor)
        ? ['spend_rise']
        : []),
      ...(planned === null && !isUnknown && !isPlanned && actual > 0n ? ['spend_without_plan'] : []),
      ...(partsAbove ? ['parts_above_plan'] : []),
      ...(isUnknown ? ['rate_missing'] : []),
    ].sort()
  }

  const cells = [...keys].map((key) => {
    const figures = figuresOf(key)
    const [advertiser = 0, country = 0] = key.split(':').map(Number)
    const own = parts.filter((row) => keyOf(row) === key)
    const spends = now.carried.filter((fact) => cellOf(fact) === key)
    const hasPlan = figures.planned !== null || figures.isUnknown
    const ids = new Set([...own.map(({ partner }) => partner), ...spends.map(({ dims }) => Number(dims.partner))])
    const people = [...ids].flatMap((partner) => {
      const part = own.find((row) => row.partner === partner)
      const amount = part === undefined ? undefined : inReport(part)
      const actual = spent(spends.filter(({ dims }) => dims.partner === partner))
      if (part === undefined && actual === 0n) return []
      return [
        {
          partner,
          budget: amount == null ? null : floor(amount),
          actual_budget: floor(actual),
          free_budget: amount == null ? null : floor(amount - actual),
        },
      ]
    })
    const partsAbove =
      !isNarrowed && !figures.isUnknown && sum(own.map((row) => inReport(row) ?? 0n)) > (figures.planned ?? 0n)
    return {
      advertiser,
      country,
      figures,
      partsAbove,
      isShown: figures.actual !== 0n || hasPlan || own.length > 0,
      shown: {
        country_id: country,
        budget: figures.planned === null ? null : floor(figures.planned),
        ...show(figures),
        warnings: warn(figures, partsAbove),
        partners: people.sort((a, b) => a.partner - b.partner),
      },
    }
  })
  const shown = cells.filter(({ isShown }) => isShown)
  const rows = [...new Set(shown.map(({ advertiser }) => advertiser))]
    .sort((a, b) => a - b)
    .map((advertiser) => {
      const figures = add(cells.filter((cell) => cell.advertiser === advertiser).map((cell) => cell.figures))
      const own = shown.filter((cell) => cell.advertiser === advertiser)
      return {
        advertiser_id: advertiser,
        budget: figures.planned === null ? null : floor(figures.planned),
        ...show(figures),
        warnings: warn(
          figures,
          own.some(({ partsAbove }) => partsAbove),
        ),
        groups: own.map((cell) => cell.shown).sort((a, b) => a.country_id - b.country_id),
      }
    })
  const total = add(
    cells.map(({ figures }) => figures),
    { actual: spent(now.lost), previous: spent(before.lost), recent: spent(pace.lost), deps: 0n },
  )
  let running = 0n
  return {
    rows,
    total: {
      budget: total.planned === null ? null : floor(total.planned),
      ...show(total),
      warnings: warn(total, false),
    },
    not_used_total: floor(spent(now.lost)),
    not_used_places: new Set(
      now.lost
        .filter((fact) => spendOf(fact) !== 0n)
        .map(({ dims, day }) => [dims.country, dims.partner, dims.stream, day].join(':')),
    ).size,
    burn_up: hasBegun
      ? Array.from({ length: isNow ? complete + 1 : length }, (_, index) => {
          const date = addDays(first, index)
          running += spent(now.all.filter(({ day }) => day === date))
          return { date, actual: floor(running) }
        })
      : [],
    days: length,
    complete_days: complete,
    is_narrowed: isNarrowed,
  }
}
