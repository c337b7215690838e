// The schema of a traffic report's filter, built from REPORT_FILTERS. It rejects unknown fields and operators by name.
import { z } from 'zod'
import { FILTER_VALUES_CAP, INTEGER_MAX, REPORT_DAYS_CAP, TEXT_MAX } from '../limits.ts'
import { listOf } from '../list-of.ts'
import { daysBetween, isDay } from '../period.ts'
import {
  ACTIVITIES,
  BASELINES,
  REPORT_FILTER_NAMES,
  type REPORT_FILTERS,
  type ReportFilterName,
  reportFilterOf,
} from './choices.ts'
import { GROUP_BYS, type GroupBy } from './traffic.ts'

const isId = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= INTEGER_MAX
const ids = listOf(z.int().min(0).max(INTEGER_MAX), isId, FILTER_VALUES_CAP)
const text = z.string().max(TEXT_MAX)
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= TEXT_MAX
const textList = listOf(text, isText, FILTER_VALUES_CAP)
const day = z.string().refine(isDay, { error: 'date_invalid' })

/** A list selects facts with one of the values, {nin} all others. 0 (or '') stands for facts without a value. */
const references = z.union([ids, z.strictObject({ in: ids }), z.strictObject({ nin: ids })], {
  error: explainFailure,
})
const texts = z.union(
  [text, textList, z.strictObject({ in: textList }), z.strictObject({ nin: textList }), z.strictObject({ like: text })],
  { error: explainFailure },
)
const period = z.string().refine((value) => isPeriod(value), { error: 'date_invalid' })

const OPERATORS = ['in', 'nin', 'like']
function explainFailure({ input }: { input?: unknown }): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'value_invalid'
  return Object.keys(input).every((key) => OPERATORS.includes(key)) ? 'value_invalid' : 'unknown_operator'
}

function isPeriod(value: string): boolean {
  const [from = '', to = '', ...rest] = value.split('|')
  return rest.length === 0 && isDay(from) && isDay(to) && from <= to
}

type FilterSchemas = {
  [F in ReportFilterName]: z.ZodOptional<
    (typeof REPORT_FILTERS)[F]['kind'] extends 'references'
      ? typeof references
      : (typeof REPORT_FILTERS)[F]['kind'] extends 'texts'
        ? typeof texts
        : typeof period
  >
}

const SCHEMAS = { references, texts, period }
// The cast is correct: every key gets the schema of its kind, which the compiler cannot infer from a loop.
const fields = Object.fromEntries(
  REPORT_FILTER_NAMES.map((name) => [name, SCHEMAS[reportFilterOf(name).kind].optional()]),
) as FilterSchemas

const groupBy = z.enum(GROUP_BYS)

/** Fields by which every traffic report can be narrowed. */
export const selectionFields = {
  /** First and last business day; today if absent. */
  dateFrom: day.optional(),
  dateTo: day.optional(),
  /** The comparison period. Without secondDateFrom it is as long as the first. */
  secondDateFrom: day.optional(),
  secondDateTo: day.optional(),
  /** Shows the report as known at that moment, ISO 8601; as known now if absent. */
  knownAt: z.iso.datetime({ offset: true, error: 'date_invalid' }).optional(),
  activity: z.enum(ACTIVITIES).default('all'),
  baseLine: z.enum(BASELINES).default('all'),
  ...fields,
}

/** A level that repeats one above it counts as 'off'. */
const makeSchema = (secondGroupBy: GroupBy) =>
  z
    .strictObject({
      groupBy: groupBy.default('offer'),
      secondGroupBy: groupBy.default(secondGroupBy),
      thirdGroupBy: groupBy.default('off'),
      fourthGroupBy: groupBy.default('off'),
      ...selectionFields,
    })
    .superRefine(checkPeriods)

export const reportFilterSchema = makeSchema('traffic_source')
/** Differs in the default of the second level: the day. */
export const flatReportFilterSchema = makeSchema('day')

/** A parsed filter: period, groupings, choices and selected values. */
export type ReportFilterValues = z.output<typeof reportFilterSchema>

interface Periods {
  dateFrom?: string | undefined
  dateTo?: string | undefined
  secondDateFrom?: string | undefined
  secondDateTo?: string | undefined
}

/** Adds issues for reversed dates, for a period that is too long, and for a comparison period without an end. */
export function checkPeriods(filter: Periods, context: z.RefinementCtx): void {
  checkPeriod(filter.dateFrom, filter.dateTo, 'dateTo', context)
  checkPeriod(filter.secondDateFrom, filter.secondDateTo, 'secondDateTo', context)
  if (filter.secondDateFrom !== undefined && filter.secondDateTo === undefined)
    context.addIssue({ code: 'custom', path: ['secondDateTo'], message: 'required' })
}

function checkPeriod(from: string | undefined, to: string | undefined, path: string, context: z.RefinementCtx): void {
  if (from === undefined || to === undefined || !isDay(from) || !isDay(to)) return
  if (from > to) context.addIssue({ code: 'custom', path: [path], message: 'dates_reversed' })
  else if (daysBetween(from, to) > REPORT_DAYS_CAP)
    context.addIssue({ code: 'custom', path: [path], message: 'period_too_long', params: { days: REPORT_DAYS_CAP } })
}
