// Answers the budget plan: compares planned amounts with the spend of the general report, by advertiser, country and partner.

import { today } from '@tributary/contract/period'
import {
  BUDGET_WARNINGS,
  type BudgetAnswer,
  type BudgetGroup,
  type BudgetPartner,
  type BudgetRequest,
  type BudgetRow,
  type BudgetTotal,
  type BudgetWarning,
} from '@tributary/contract/reports/budget'
import type { ReportGroup } from '@tributary/contract/reports/general'
import { openReportContext, type ReportContext, type ReportEngines } from '../engine/context.ts'
import { prepareDerive } from '../engine/derive.ts'
import { addSpendTitles } from '../engine/format.ts'
import type { Viewer } from '../engine/query.ts'
import { readTitles, toReportGroup } from '../engine/titles.ts'
import { readFreshness } from '../freshness.ts'
import { type BudgetCell, joinCells } from './budget-cells.ts'
import {
  addFacts,
  addPlannedAmounts,
  addPredictions,
  type BudgetSums,
  findWarnings,
  floorText,
  freeText,
  NO_PLAN,
  NO_SPEND,
  plannedText,
  predictUnallocated,
  type Thresholds,
  toFigures,
} from './budget-figures.ts'
import { sortRows } from './budget-order.ts'
import {
  isMonthClosed,
  narrowPartners,
  readAdvertiserCountries,
  readNetworkPlans,
  readPartnerPlans,
  readThresholds,
} from './budget-plans.ts'
import { type BudgetMonth, type MonthSpend, openMonth, readMonthSpend } from './budget-spend.ts'

const LISTED_SPENDS = 1000

/** `now` is the business day of the answer; today if absent. */
export async function answerBudget(
  { filter, month: requestedMonth, sort }: BudgetRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
  now?: string,
): Promise<BudgetAnswer> {
  const freshness = await readFreshness(engines.postgres)
  const { postgres } = engines
  const partners = await narrowPartners(postgres, viewer.partners, filter)
  const context = await openReportContext({ ...viewer, partners }, engines, signal)
  const day = now ?? today(context.setting.zone)
  const month = openMonth(requestedMonth ?? (filter.date ?? day).slice(0, 7), day)
  const isNarrowed = partners !== null
  const [spend, plans, parts, thresholds, isClosed, countries] = await Promise.all([
    readMonthSpend(month, context),
    readNetworkPlans(postgres, month.first),
    readPartnerPlans(postgres, month.first, partners),
    readThresholds(postgres),
    isMonthClosed(postgres, month.first.slice(0, 7)),
    filter.showCountriesNoSpend ? readAdvertiserCountries(postgres) : [],
  ])
  const cells = joinCells({ spend, plans, parts, countries, isNarrowed }, month)
  const shown = cells.filter((cell) =>
    filter.showCountriesNoSpend ? cell.country !== 0 || hasContent(cell) : hasContent(cell),
  )
  const titles = await readCellTitles(shown, context)
  const look: BudgetView = { month, thresholds, titles, isNarrowed }
  const lines = shown.map((cell): Line => ({ cell, group: toGroup(cell, look) }))
  const isFiltered = (filter.search ?? '').trim() !== '' || filter.warning !== undefined
  const listed = isFiltered ? lines.filter((line) => isListed(line, filter, titles)) : lines
  const listedCells = listed.map(({ cell }) => cell)
  return {
    ...(await monthFields(spend, month, context)),
    rows: sortRows(
      toRows(isFiltered ? listedCells : cells, listed, look),
      filter.sortBy === undefined ? sort : { by: filter.sortBy, desc: filter.sortDesc },
    ),
    total: toTotal(cells, spend, look),
    shown_total: isFiltered ? sumOf(listedCells, look) : null,
    warning_counts: countWarnings(lines),
    is_narrowed: isNarrowed,
    is_closed: isClosed,
    built_at: new Date().toISOString(),
    ...freshness,
    currency: context.setting.currency,
    warnings: spend.isRateMissing || cells.some(({ planned }) => planned.isRateMissing) ? ['rate_missing'] : [],
  }
}

/** True if the cell has a plan, a part or spend. */
const hasContent = ({ facts, planned, partners }: BudgetCell): boolean =>
  facts.actual !== 0n || planned.isKnown || planned.isRateMissing || partners.some(({ plan }) => plan !== null)

interface BudgetView {
  readonly month: BudgetMonth
  readonly thresholds: Thresholds
  readonly titles: Titles
  readonly isNarrowed: boolean
}

/** The fields beside the rows: days, unallocated spend and the curve of the month. */
async function monthFields(spend: MonthSpend, month: BudgetMonth, { postgres, viewer }: ReportContext) {
  const derive = prepareDerive({ metrics: ['s'] })
  const lost = spend.unallocated.map((one) => ({ ...one, m: derive(one.components) }))
  const all = lost.filter(({ m }) => m.s !== 0)
  const named = await addSpendTitles(all.slice(0, LISTED_SPENDS), postgres, viewer.language)
  let sum = 0n
  return {
    month: month.first.slice(0, 7),
    period: month.spent === null ? null : { dateFrom: month.spent.from, dateTo: month.spent.to },
    days: month.days,
    complete_days: month.completeDays,
    not_used_spend: named.map(({ listItem: item }) => item),
    not_used_count: all.length,
    not_used_total: floorText(spend.total.actual - spend.allocated),
    burn_up: spend.days.map(({ day, spend: own }) => {
      sum += own
      return { date: day, actual: floorText(sum) }
    }),
  }
}

/** A cell that is shown, and what the answer says of it. */
interface Line {
  readonly cell: BudgetCell
  readonly group: BudgetGroup
}

/** A search that finds an advertiser lists all of its countries; advertiser and country together find one cell. */
function isListed({ cell, group }: Line, { search = '', warning }: BudgetRequest['filter'], titles: Titles): boolean {
  const wanted = search.trim().toLowerCase()
  const isFound = `${titles.advertiser(cell.advertiser).title} ${group.country.title}`.toLowerCase().includes(wanted)
  return isFound && (warning === undefined || group.warnings.includes(warning))
}

function countWarnings(lines: readonly Line[]): Record<BudgetWarning, number> {
  const found = lines.flatMap(({ group }) => group.warnings)
  const counts = BUDGET_WARNINGS.map((warning) => [warning, found.filter((one) => one === warning).length])
  // Object.fromEntries loses the type of the keys.
  return Object.fromEntries(counts) as Record<BudgetWarning, number>
}

/** The sums of an advertiser are those of its `cells`, listed or not. */
function toRows(cells: readonly BudgetCell[], listed: readonly Line[], look: BudgetView): BudgetRow[] {
  const advertisers = Map.groupBy(cells, ({ advertiser }) => advertiser)
  return [...Map.groupBy(listed, ({ cell }) => cell.advertiser)].map(([advertiser, own]): BudgetRow => {
    const all = advertisers.get(advertiser) ?? []
    const groups = own.map(({ group }) => group)
    const { warnings, ...figures } = sumOf(all, look)
    const hasParts = groups.some((group) => group.warnings.includes('parts_above_plan'))
    return {
      advertiser_id: advertiser,
      advertiser: look.titles.advertiser(advertiser),
      ...figures,
      warnings: hasParts ? [...warnings, 'parts_above_plan'] : warnings,
      groups,
    }
  })
}

function sumOf(cells: readonly BudgetCell[], look: BudgetView): BudgetTotal {
  const facts = cells.map((cell) => cell.facts).reduce(addFacts, NO_SPEND)
  const planned = cells.map((cell) => cell.planned).reduce(addPlannedAmounts, NO_PLAN)
  const sums = { facts, planned, prediction: addPredictions(cells, facts) }
  return {
    budget: plannedText(planned),
    ...toFigures(sums, look.month),
    warnings: warningsOf({ ...sums, isPlanned: cells.some(isPlanned) }, null, look),
  }
}

const isPlanned = (cell: BudgetCell): boolean => cell.isPlanned

/** Spend of partners without a part is not without a plan, if the network has one. */
const warningsOf = (
  sums: BudgetSums & Pick<BudgetCell, 'isPlanned'>,
  parts: bigint | null,
  { month, thresholds }: BudgetView,
): BudgetWarning[] =>
  findWarnings(sums, parts, month, thresholds).filter((name) => !sums.isPlanned || name !== 'spend_without_plan')

function toGroup(cell: BudgetCell, look: BudgetView): BudgetGroup {
  const { month, titles, isNarrowed } = look
  const { country, plan, planned } = cell
  const parts = cell.partners.reduce((sum, { planned: part }) => sum + part.amount, 0n)
  return {
    country_id: country,
    country: titles.country(country),
    budget: {
      id: plan?.id ?? null,
      budget: plannedText(planned),
      planned: plan?.planned ?? null,
      currency: plan?.currency ?? null,
      state: plan?.state ?? null,
      version: plan?.version ?? null,
    },
    ...toFigures(cell, month),
    warnings: warningsOf(cell, isNarrowed ? null : parts, look),
    partners: cell.partners.map(
      ({ partner, plan: part, planned: own, actual }): BudgetPartner => ({
        partner: titles.partner(partner),
        budget: plannedText(own),
        budget_id: part?.id ?? null,
        planned: part?.planned ?? null,
        currency: part?.currency ?? null,
        version: part?.version ?? null,
        actual_budget: floorText(actual),
        free_budget: own.isKnown ? freeText(own, actual) : null,
      }),
    ),
  }
}

/** Every sum of the total includes unallocated spend. */
function toTotal(cells: readonly BudgetCell[], { total, allocated }: MonthSpend, look: BudgetView): BudgetTotal {
  const planned = cells.map((cell) => cell.planned).reduce(addPlannedAmounts, NO_PLAN)
  const carried = cells.reduce((sum, { facts }) => sum + facts.previous, 0n)
  const facts = { ...NO_SPEND, actual: total.actual - allocated, previous: total.previous - carried }
  const unallocated = { facts, prediction: predictUnallocated(facts, look.month) }
  const all = unallocated.prediction.amount === 0n ? cells : [...cells, unallocated]
  const sums = { facts: total, planned, prediction: addPredictions(all, total) }
  return {
    budget: plannedText(planned),
    ...toFigures(sums, look.month),
    warnings: warningsOf({ ...sums, isPlanned: cells.some(isPlanned) }, null, look),
  }
}

type TitledDimension = 'advertiser' | 'country' | 'partner'
type Titles = Readonly<Record<TitledDimension, (id: number) => ReportGroup>>

/** Titles of everything that the cells name. */
async function readCellTitles(cells: readonly BudgetCell[], { postgres, viewer }: ReportContext): Promise<Titles> {
  const read = async (dimension: TitledDimension, ids: readonly number[]) => {
    const titles = await readTitles(postgres, dimension, ids)
    return (id: number) => toReportGroup(dimension, id, titles, viewer.language)
  }
  const [advertiser, country, partner] = await Promise.all([
    read(
      'advertiser',
      cells.map((cell) => cell.advertiser),
    ),
    read(
      'country',
      cells.map((cell) => cell.country),
    ),
    read(
      'partner',
      cells.flatMap(({ partners }) => partners.map((one) => one.partner)),
    ),
  ])
  return { advertiser, country, partner }
}
