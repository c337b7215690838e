// Formulas of a report. An answer holds them as they were when it was built; it is reloaded when one was added or changed.
import { useQuery } from '@tanstack/react-query'
import { formulaIdsIn } from '@tributary/contract/reports/column-name'
import { isMadeOf } from '@tributary/contract/reports/formula'
import type { FormulaVersion, RequestedFormulas } from '@tributary/contract/reports/general'
import type { ReportFormula } from '@tributary/contract/reports/saved'
import { isMetric, type MetricName } from '@tributary/contract/reports/traffic'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { formulasQuery } from '../saved/saved-query.ts'
import { formulaColumnName } from '../table/report-columns.ts'

/** Formulas that a report with these columns needs; null columns need all of them. */
export const requestedFormulas = (columns: readonly string[] | null): RequestedFormulas =>
  columns === null ? 'all' : formulaIdsIn(columns)

/** Whether the answer lacks a column that it was asked for, or has one in an older form. */
export function areFormulasOutdated(
  known: readonly Pick<ReportFormula, 'id' | 'version'>[],
  asked: RequestedFormulas,
  answered: readonly FormulaVersion[],
): boolean {
  return known.some(({ id, version }) => {
    const isAsked = asked === 'all' || asked.includes(id)
    return isAsked && answered.find((one) => one.id === id)?.version !== version
  })
}

interface FormulaLoad {
  readonly asked: RequestedFormulas
  /** Undefined while there is no answer, or only one to another question. */
  readonly answered: readonly FormulaVersion[] | undefined
  readonly isFetching: boolean
  readonly refetch: () => void
}

export function useFreshFormulas({ asked, answered, isFetching, refetch }: FormulaLoad): void {
  const { data: known, dataUpdatedAt } = useQuery(formulasQuery)
  const isOld = known !== undefined && answered !== undefined && areFormulasOutdated(known, asked, answered)
  const ask = useEffectEvent(() => {
    if (!isFetching) refetch()
  })
  // The list of the team's columns changes beside the report: by the form, and by others. Once for each list that has come.
  useEffect(() => {
    if (isOld && dataUpdatedAt > 0) ask()
  }, [isOld, dataUpdatedAt])
}

const NONE: readonly ReportFormula[] = []

/** Those that a report of these numbers can work out. */
function useFormulasOf(metrics: readonly MetricName[]): readonly ReportFormula[] {
  const { data = NONE } = useQuery(formulasQuery)
  // As text: a list of names is made anew by every drawing.
  const names = metrics.join(' ')
  return useMemo(() => {
    const known = names.split(' ').filter(isMetric)
    return data.filter(({ expression }) => isMadeOf(expression, known))
  }, [data, names])
}

/** Names of all columns that a report of these metrics can show, formulas last, and of those that are shown, in their order. */
export function useColumnNames(metrics: readonly MetricName[], chosen: readonly string[] | null) {
  const formulas = useFormulasOf(metrics)
  const known: readonly string[] = [...metrics, ...formulas.map(formulaColumnName)]
  const shown = (chosen ?? known).filter((name) => known.includes(name))
  return { known, shown: shown.length === 0 ? known : shown, formulas }
}
