// Exports the budget plan: advertisers, their countries and partners, then unallocated spend and the total.
import type { BudgetFigures, BudgetRequest, BudgetWarning } from '@tributary/contract/reports/budget'
import { budgetWordsEn } from '@tributary/contract/words/en/budget'
import { budgetWordsRu } from '@tributary/contract/words/ru/budget'
import type { Sheet, SheetCell, SheetRow } from '../../lib/sheet.ts'
import { type ReportEngines, readReportSetting } from '../engine/context.ts'
import { answerBudget } from '../kinds/budget.ts'
import { COLUMN_WORDS } from './columns.ts'
import type { ExportInput } from './general-export.ts'

const BUDGET_WORDS = { en: budgetWordsEn, ru: budgetWordsRu }

export async function exportBudget(
  { request: { filter, month, sort }, viewer, signal }: ExportInput<BudgetRequest>,
  engines: ReportEngines,
): Promise<Sheet> {
  const { zone, currency } = await readReportSetting(engines.postgres)
  const answer = await answerBudget({ filter, month, sort }, viewer, engines, signal)
  const words = BUDGET_WORDS[viewer.language]
  const { dimensions, total, warnings } = COLUMN_WORDS[viewer.language]
  const signs = (found: readonly BudgetWarning[]): string => found.map((warning) => words.signs[warning]).join(', ')
  const figures = (budget: string | null, row: BudgetFigures): SheetCell[] => [
    budget,
    row.actual_budget,
    row.free_budget,
    row.previous,
    row.prediction,
    row.days_to_overlimit,
  ]
  const rows = answer.rows.flatMap((row): SheetRow[] => [
    [row.advertiser.title, null, null, ...figures(row.budget, row), null, signs(row.warnings)],
    ...row.groups.flatMap((group): SheetRow[] => [
      [
        row.advertiser.title,
        group.country.title,
        null,
        ...figures(group.budget.budget, group),
        group.budget.state === null ? null : words.states[group.budget.state],
        signs(group.warnings),
      ],
      ...group.partners.map(
        ({ partner, budget, actual_budget, free_budget }): SheetRow => [
          row.advertiser.title,
          group.country.title,
          partner.title,
          budget,
          actual_budget,
          free_budget,
          ...Array<null>(5).fill(null),
        ],
      ),
    ]),
  ])
  const lost: SheetRow = [words.unallocated, null, null, null, answer.not_used_total, ...Array<null>(6).fill(null)]
  // A file of some countries ends with their sum, to which unallocated spend does not belong.
  const sum = answer.shown_total ?? answer.total
  const last: SheetRow = [total, null, null, ...figures(sum.budget, sum), null, signs(sum.warnings)]
  const money = [words.planned, words.actual, words.free, words.previous, words.prediction]
  const all = [...rows, ...(answer.not_used_total === '0' || answer.shown_total !== null ? [] : [lost]), last]
  return {
    title: `${words.title} ${answer.month}`,
    zone,
    columns: [
      ...[dimensions.advertiser, dimensions.country, dimensions.partner].map(
        (header) => ({ header, kind: 'text' }) as const,
      ),
      ...money.map((header) => ({ header: `${header}, ${currency}`, kind: 'number' }) as const),
      { header: words.days_to_overlimit, kind: 'number' },
      { header: words.state, kind: 'text' },
      { header: words.warnings, kind: 'text' },
    ],
    total: all.length,
    batches: (async function* () {
      await Promise.resolve()
      yield all
    })(),
    notes: answer.warnings.map((warning) => warnings[warning]),
  }
}
