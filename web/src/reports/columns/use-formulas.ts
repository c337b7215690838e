// Formulas of a report. An answer contains formulas in the version in which it was computed; it is reloaded when one changes.
import { useQuery } from '@tanstack/react-query'
import { formulaIdsIn } from '@tributary/contract/reports/column-name'
import { isMadeOf } from '@tributary/contract/reports/formula'
import type { FormulaVersion, RequestedFormulas } from '@tributary/contract/reports/general'
import type { ReportFormula } from '@tributary/contract/reports/saved'
import { isMetric, type MetricName } from '@tributary/contract/reports/traffic'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { formulasQuery } from '../saved/saved-query.ts'
import { formulaColumnName } from '../table/report-columns.ts'

/** The formulas that a report with these columns requests; null columns request all. */
export const requestedFormulas = (columns: readonly string[] | null): RequestedFormulas =>
  columns === null ? 'all' : formulaIdsIn(columns)

/** True if the answer lacks a requested formula, or has an older version of it. */
export function areFormulasOutdated(
  known: readonly Pick<ReportFormula, 'id' | 'version'>[],
  requested: RequestedFormulas,
  answered: readonly FormulaVersion[],
): boolean {
  return known.some(({ id, version }) => {
    const isRequested = requested === 'all' || requested.includes(id)
    return isRequested && answered.find((one) => one.id === id)?.version !== version
  })
}

interface FormulaLoad {
  readonly requested: RequestedFormulas
  /** Undefined until the answer to this very request has arrived. */
  readonly answered: readonly FormulaVersion[] | undefined
  readonly isFetching: boolean
  readonly refetch: () => void
}

export function useFreshFormulas({ requested, answered, isFetching, refetch }: FormulaLoad): void {
  const { data: known, dataUpdatedAt } = useQuery(formulasQuery)
  const isOld = known !== undefined && answered !== undefined && areFormulasOutdated(known, requested, answered)
  const ask = useEffectEvent(() => {
    if (!isFetching) refetch()
  })
  // The list of formulas changes independently of the report, also by other users. Reloads once per loaded list.
  useEffect(() => {
    if (isOld && dataUpdatedAt > 0) ask()
  }, [isOld, dataUpdatedAt])
}

const NONE: readonly ReportFormula[] = []

/** The formulas that can be computed from these metrics. */
function useFormulasOf(metrics: readonly MetricName[]): readonly ReportFormula[] {
  const { data = NONE } = useQuery(formulasQuery)
  // A string, because the array of names is new in every render.
  const names = metrics.join(' ')
  return useMemo(() => {
    const known = names.split(' ').filter(isMetric)
    return data.filter(({ expression }) => isMadeOf(expression, known))
  }, [data, names])
}

/** All columns that a report of these metrics can show, formulas last, and the shown columns in their order. */
export function useColumnNames(metrics: readonly MetricName[], chosen: readonly string[] | null) {
  const formulas = useFormulasOf(metrics)
  const known: readonly string[] = [...metrics, ...formulas.map(formulaColumnName)]
  const shown = (chosen ?? known).filter((name) => known.includes(name))
  return { known, shown: shown.length === 0 ? known : shown, formulas }
}
