// What one does with a report without levels, above it: how current it is, what was kept by name, the file, the columns.
import type { Metrics } from '@tributary/contract/reports/general'
import type { SavedReportState } from '@tributary/contract/reports/saved'
import { isMetric, type MetricName } from '@tributary/contract/reports/traffic'
import { ColumnsPopover } from '../columns/columns-popover.tsx'
import { useFormulasOf } from '../columns/use-formulas.ts'
import { ExportButton } from '../run/export-button.tsx'
import { ReportStatus, type ToldOfReport } from '../run/report-status.tsx'
import { SavedButton } from '../saved/saved-button.tsx'
import { useDefaultReport } from '../saved/use-default-report.ts'
import { formulaColumnName } from '../table/report-columns.ts'
import type { Choices, PlainControl } from './plain-state.ts'
import type { PlainLoad } from './use-plain-report.ts'

/** Columns that a person chooses from, and the totals in which a formula can be tried. */
export interface PlainColumns {
  readonly known: readonly string[]
  readonly total: Metrics | undefined
}

interface PlainToolsProps<C extends Choices> {
  control: PlainControl<C>
  load: PlainLoad<ToldOfReport>
  /** Of the file: keys of the numbers that are seen. */
  fileColumns: readonly string[]
  /** Null: the columns are as they are. */
  columns: PlainColumns | null
}

/** The team's own columns, for a report whose rows have the numbers of the general one. */
export function usePlainColumns(metrics: readonly MetricName[], chosen: readonly string[] | null) {
  const formulas = useFormulasOf(metrics)
  const known: readonly string[] = [...metrics, ...formulas.map(formulaColumnName)]
  const shown = chosen === null ? known : chosen.filter((name) => known.includes(name))
  return { known, shown: shown.length === 0 ? known : shown, formulas }
}

export function PlainTools<C extends Choices>({ control, load, fileColumns, columns }: PlainToolsProps<C>) {
  const { state, ownDays } = control
  useDefaultReport(load.path, control.wasSilent, control.open)
  const request = (): object => {
    const { pagination: _page, ...asked } = load.asked
    return { ...asked, columns: fileColumns }
  }
  const current = (): SavedReportState => {
    const { pagination: _page, filter, ...asked } = load.asked
    const { dateFrom, dateTo, ...rest } = filter
    return {
      ...control.keep(),
      request: { ...asked, filter: ownDays === null ? rest : { ...rest, dateFrom, dateTo } },
      comparesPrevious: false,
      columns: [...fileColumns],
      look: {},
    }
  }
  return (
    <>
      <ReportStatus to={state.to} load={load} refresh={load.refresh} />
      <SavedButton report={load.path} current={current} onOpen={control.open} />
      <ExportButton path={load.path} request={request} />
      {columns === null ? null : (
        <ColumnsPopover
          known={columns.known}
          shown={state.columns ?? columns.known}
          metrics={columns.known.filter(isMetric)}
          total={columns.total}
          onShown={(names) => control.change({ columns: names, page: state.page })}
        />
      )}
    </>
  )
}
