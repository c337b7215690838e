// The budget plan report: planned, actual and predicted spend of a month by advertiser, country and partner.
import { z } from 'zod'
import { leadersOr } from '../access.ts'
import { defineReport } from '../call.ts'
import type { BudgetState } from '../entities/budget.ts'
import { FILTER_VALUES_CAP, TEXT_MAX } from '../limits.ts'
import { listOf } from '../list-of.ts'
import { monthSchema } from '../month.ts'
import { isDay, isMonth } from '../period.ts'
import { isRowId, rowId } from '../row-id.ts'
import type { REPORT_WARNINGS, ReportGroup, ReportSources, UnallocatedSpendItem } from './general.ts'

const ids = listOf(rowId, isRowId, FILTER_VALUES_CAP)

export const BUDGET_SORTS = ['title', 'budget', 'actual_budget', 'free_budget', 'previous', 'prediction'] as const
export type BudgetSort = (typeof BUDGET_SORTS)[number]

/**
 * overlimit: more is spent than planned. overlimit_expected: the plan will be used up within the days of the settings, at the pace of the last 7
 * complete days. budget_deficit: more is predicted than planned. spend_rise: more is predicted than the previous month's spend times the factor
 * of the settings. spend_without_plan. parts_above_plan: the partners' parts exceed their parent. rate_missing: the currency of a plan has no
 * rate, so that its planned amount is unknown.
 */
export const BUDGET_WARNINGS = [
  'overlimit',
  'overlimit_expected',
  'budget_deficit',
  'spend_rise',
  'spend_without_plan',
  'parts_above_plan',
  'rate_missing',
] as const
export type BudgetWarning = (typeof BUDGET_WARNINGS)[number]

const filter = z
  .strictObject({
    /** Any day of the month. */
    date: z
      .string()
      .refine((day) => isDay(day) && isMonth(day.slice(0, 7)), { error: 'date_invalid' })
      .optional(),
    partnerGroups: ids.optional(),
    partners: ids.optional(),
    /** Also lists countries of advertisers without plan and spend. */
    showCountriesNoSpend: z.boolean().default(false),
    /** Part of the title of an advertiser, all of whose countries are listed then, or of a country. Sums of advertisers follow. */
    search: z.string().max(TEXT_MAX).optional(),
    /** Lists countries with this warning only. Sums of advertisers follow. */
    warning: z.enum(BUDGET_WARNINGS).optional(),
    /** Replaces `sort`. */
    sortBy: z.enum(BUDGET_SORTS).optional(),
    sortDesc: z.boolean().default(true),
  })
  .prefault({})

export const budgetRequest = z
  .strictObject({
    filter,
    /** Without it and `filter.date` the report shows the current month. With both, the day is one of this month. */
    month: monthSchema.optional(),
    sort: z
      .strictObject({ by: z.enum(BUDGET_SORTS).default('actual_budget'), desc: z.boolean().default(true) })
      .prefault({}),
  })
  .refine(({ filter: { date }, month }) => date === undefined || month === undefined || date.startsWith(month), {
    path: ['filter', 'date'],
    error: 'budget_other_month',
  })
/** A parsed query of the budget report. */
export type BudgetRequest = z.output<typeof budgetRequest>
/** A query of the budget report as it is sent: members with defaults may be absent. */
export type BudgetInput = z.input<typeof budgetRequest>

/**
 * The previous month's cFD (spend per new deposit) that a prediction uses. `previous_spend`: no day is complete yet, so the prediction is the
 * previous month's spend. `actual`: the month is over. `mixed`: a sum of predictions with different bases.
 */
export const PREDICTION_BASES = ['cell', 'advertiser', 'country', 'previous_spend', 'actual', 'mixed'] as const
export type PredictionBasis = (typeof PREDICTION_BASES)[number]

/** Amounts are texts of whole units of the report currency, floored after all sums; null is unknown or absent. */
export interface BudgetFigures {
  actual_budget: string
  /** planned − actual; nothing planned counts as 0. Null if the planned amount is unknown. */
  free_budget: string | null
  previous: string
  prediction: string | null
  prediction_basis: PredictionBasis | null
  /** The prediction is based on fewer than 10 new deposits of the previous month, or of the complete days of this one. */
  prediction_uncertain: boolean
  /** Whole days until free is used up at the pace of the last 7 complete days. Null without a plan, without spend, and outside the current month. */
  days_to_overlimit: number | null
}

/** The plan of a country. With a partner or group filter, or a narrowed view, `budget` is the sum of its partners' parts and `id` is null. */
export interface CellBudget {
  id: number | null
  budget: string | null
  /** The amount as entered, in `currency`. */
  planned: string | null
  currency: { id: number; value: string } | null
  state: BudgetState | null
  version: number | null
}

/** `budget_id` and `version` are those of the partner_budget. */
export interface BudgetPartner {
  partner: ReportGroup
  budget: string | null
  budget_id: number | null
  planned: string | null
  currency: { id: number; value: string } | null
  version: number | null
  actual_budget: string
  /** Null without a part: nothing of the plan is this partner's. */
  free_budget: string | null
}

/** A country of an advertiser, with its plan and its partners. */
export interface BudgetGroup extends BudgetFigures {
  country_id: number
  country: ReportGroup
  budget: CellBudget
  warnings: BudgetWarning[]
  partners: BudgetPartner[]
}

/** An advertiser with its countries. */
export interface BudgetRow extends BudgetFigures {
  advertiser_id: number
  advertiser: ReportGroup
  /** Null if no country has a plan. */
  budget: string | null
  warnings: BudgetWarning[]
  groups: BudgetGroup[]
}

/** The sum of all rows. Money is a decimal in the report currency. */
export interface BudgetTotal extends BudgetFigures {
  budget: string | null
  warnings: BudgetWarning[]
}

/** The budget report of a month. */
export interface BudgetAnswer {
  month: string
  /** The days whose spend counts; null if the month has not begun. */
  period: { dateFrom: string; dateTo: string } | null
  days: number
  complete_days: number
  rows: BudgetRow[]
  /** Of the whole month, with unallocated spend, whatever `search` and `warning` leave out. */
  total: BudgetTotal
  /** The sum of the listed countries, without unallocated spend. Null without `search` and `warning`. */
  shown_total: BudgetTotal | null
  /** The number of countries with each warning, whatever `search` and `warning` leave out. */
  warning_counts: Record<BudgetWarning, number>
  /** The newest thousand items of unallocated spend. */
  not_used_spend: UnallocatedSpendItem[]
  /** The number of all items, listed or not. */
  not_used_count: number
  /** The floored sum of all unallocated spend. */
  not_used_total: string
  /** Cumulative spend, with unallocated spend, at the end of each day of the month that has begun. */
  burn_up: { date: string; actual: string }[]
  /** Plans are the sums of partners' parts. */
  is_narrowed: boolean
  /** The month is closed for all partners: its plan is read-only. */
  is_closed: boolean
  built_at: string
  watermark: string
  sources: ReportSources
  currency: string
  warnings: (typeof REPORT_WARNINGS)[number][]
}

export const budgetReport = defineReport({
  name: 'budget_report',
  path: 'budget_report/report',
  access: leadersOr('budget_report_view'),
  request: budgetRequest,
  answer: z.custom<BudgetAnswer>(),
  calls: [],
})
