// Columns of one's own in a question and in its answer. Pure.
import { formulaIdsIn } from '@tributary/contract/reports/column-name'
import type { FormulaVersion, RequestedFormulas } from '@tributary/contract/reports/general'
import type { ReportFormula } from '@tributary/contract/reports/saved'

/** Which columns of one's own a screen with these columns asks for; null = all that there are. */
export const askedFormulas = (columns: readonly string[] | null): RequestedFormulas =>
  columns === null ? 'all' : formulaIdsIn(columns)

/** Whether the answer lacks a column that it was asked for, or has one in an older form. */
export function areFormulasOld(
  known: readonly Pick<ReportFormula, 'id' | 'version'>[],
  asked: RequestedFormulas,
  answered: readonly FormulaVersion[],
): boolean {
  return known.some(({ id, version }) => {
    const isAsked = asked === 'all' || asked.includes(id)
    return isAsked && answered.find((one) => one.id === id)?.version !== version
  })
}
