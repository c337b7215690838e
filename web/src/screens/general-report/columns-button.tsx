// The columns of the general report: selection, order and emphasis. Selection and order are in the address.
import type { RoleKind } from '@tributary/contract/access'
import type { Metrics } from '@tributary/contract/reports/general'
import type { ReportFormula } from '@tributary/contract/reports/saved'
import { placeSorted } from '../../reports/columns/column-presets.ts'
import { type ColumnEmphasis, ColumnsPopover } from '../../reports/columns/columns-popover.tsx'
import { useColumnNames } from '../../reports/columns/use-formulas.ts'
import { EMPHASES } from '../../reports/table/pivot-column.ts'
import { metricsFor } from '../../reports/table/report-columns.ts'
import { createStoredValue, useStoredValue } from '../../state/stored-value.ts'
import { effectiveSort, type ReportState } from './report-state.ts'
import type { ReportControl } from './use-report-state.ts'

export const isColumnEmphasis = (value: unknown): value is ColumnEmphasis =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((one) => (EMPHASES as readonly unknown[]).includes(one))

export const columnEmphasis = createStoredValue<ColumnEmphasis>('report:general:look', {}, isColumnEmphasis)

export interface ReportColumns {
  /** Names of all columns that the user may see, formulas last. */
  readonly known: readonly string[]
  /** Shown columns in their order. */
  readonly shown: readonly string[]
  readonly formulas: readonly ReportFormula[]
  readonly look: ColumnEmphasis
}

export function useReportColumns(role: RoleKind, chosen: readonly string[] | null): ReportColumns {
  const [look] = useStoredValue(columnEmphasis)
  return { ...useColumnNames(metricsFor(role), chosen), look }
}

/** The shown columns as the table has them: the sorted one first, unless the user has arranged them. */
export const displayedColumns = (
  { shown, known }: ReportColumns,
  state: Pick<ReportState, 'levels' | 'sort'>,
): readonly string[] => placeSorted(shown, known, effectiveSort(state).by)

interface ColumnsButtonProps {
  role: RoleKind
  control: ReportControl
  columns: ReportColumns
  /** The total of the shown report, for the preview of formulas. */
  total: Metrics | undefined
}

export function ColumnsButton({ role, control, columns, total }: ColumnsButtonProps) {
  const [look, setLook] = useStoredValue(columnEmphasis)
  return (
    <ColumnsPopover
      known={columns.known}
      shown={columns.shown}
      metrics={metricsFor(role)}
      total={total}
      onShown={(names) => control.change({ columns: names, page: control.state.page })}
      look={look}
      onEmphasis={setLook}
    />
  )
}
