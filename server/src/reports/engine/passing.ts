// Which first-level rows of a report meet its conditions on numbers: what its total, and the facts behind that, are narrowed to.
import { ALL } from '@tributary/contract/limits'
import { compilePage } from './compile.ts'
import { prepareDerive } from './derive.ts'
import { meetsLimits } from './metric-filters.ts'
import type { Plan } from './plan.ts'
import type { Question } from './query.ts'
import { type GroupId, readTree } from './read-rows.ts'
import { numbersOf } from './row-layout.ts'
import type { Run } from './run-statement.ts'
import { compileNotUsedSpend, readSpendSums, type SpendKey } from './unallocated-spend.ts'

/** First-level groups (none of a flat report), and spends without a place, that meet the conditions on their numbers. */
export async function readPassing(
  question: Question,
  plan: Plan,
  run: Run,
): Promise<{ ids: GroupId[]; keys: SpendKey[] }> {
  const names = numbersOf(plan, question)
  const derive = prepareDerive(question.metrics, names)
  const page = question.isFlat ? null : compilePage({ ...question, page: 1, limit: ALL, sort: null }, plan, 1, null)
  const lost = compileNotUsedSpend(question, plan, { isWhole: true })
  const [tree, spends] = await Promise.all([
    page === null ? null : run(page, (rows) => readTree(rows, 1, names.length, derive)),
    lost === null ? [] : run(lost, (rows) => readSpendSums(rows, names)),
  ])
  const passing = spends.filter(({ numbers }) => meetsLimits(derive(numbers), question.limits))
  return { ids: tree?.rows.map(({ id }) => id) ?? [], keys: passing.map(({ key }) => key) }
}
