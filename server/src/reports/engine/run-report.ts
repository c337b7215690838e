// Executes one report run, from the request to rows with titles. All reports of facts except cohorts use it.
import { compileReport } from './compile.ts'
import type { ReportContext } from './context.ts'
import { missingClickMonths } from './deleted-clicks.ts'
import { deriveReport } from './derive.ts'
import { formatReport, type ReportResult } from './format.ts'
import { findMonthSums } from './month-sums.ts'
import { parseQuery, type ReportRequest } from './parse.ts'
import { planReport } from './plan.ts'
import type { ReportQuery } from './query.ts'
import { rollUp, type SummedReport } from './roll-up.ts'
import { createStatementRunner } from './run-statement.ts'
import { readLevelRanks } from './titles.ts'

/** Throws AppError: `forbidden` and `invalid` like `parseQuery`, `timeout`, `too_large` and `unavailable` from ClickHouse; or the signal's reason. */
export async function runReport(
  request: ReportRequest,
  context: ReportContext,
): Promise<ReportResult & { deletedMonths: string[] }> {
  const { query, summed } = await sumReport(request, context)
  const result = await formatReport(deriveReport(summed, query), query, context)
  return { ...result, deletedMonths: missingClickMonths(query, planReport(query, query.metrics)) }
}

/** Runs a report up to the exact sums of its groups, without metrics and titles. Throws like `runReport`. */
export async function sumReport(
  request: ReportRequest,
  context: ReportContext,
): Promise<{ query: ReportQuery; summed: SummedReport }> {
  const parsed = parseQuery(request, context)
  const plan = planReport(parsed, parsed.metrics)
  const query: ReportQuery = parsed.isFlat
    ? parsed
    : { ...parsed, sums: await findMonthSums(context, parsed, plan, context.signal) }
  const statements = compileReport(query, plan, await readLevelRanks(query, context.postgres, 1))
  return { query, summed: await rollUp(statements, createStatementRunner(context, query)) }
}
