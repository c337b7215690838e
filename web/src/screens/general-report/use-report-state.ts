// The state of the shown report: read from the address, written to the address and to storage. An empty address is completed.

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { RoleKind } from '@tributary/contract/access'
import type { GeneralReportName } from '@tributary/contract/reports/choices'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { ChangeHow } from '../../reports/filter/filter-state.ts'
import { formulasQuery } from '../../reports/saved/saved-query.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { createStoredValue } from '../../state/stored-value.ts'
import { presetOf } from '../../ui/date/date-range.ts'
import { firstLevels, useReportKind } from './report-kind.ts'
import {
  defaultState,
  findHidden,
  findUnreadable,
  fromStored,
  isStoredReport,
  keepVisible,
  type ReportState,
  readSearch,
  type Search,
  type StoredReport,
  toStored,
  writeSearch,
} from './report-state.ts'

const isStored = (value: unknown): value is StoredReport | null => value === null || isStoredReport(value)
const store = (name: string) => createStoredValue<StoredReport | null>(name, null, isStored)
const STORED = {
  general_report: store('report:general'),
  general_report_old: store('report:general-old'),
  general_report_click: store('report:general-click'),
  general_report_click_old: store('report:general-click-old'),
} as const satisfies Record<GeneralReportName, unknown>

export interface ReportControl {
  readonly state: ReportState
  /** Goes to page 1 unless the edit contains a page. */
  readonly change: (edit: Partial<ReportState>, how?: ChangeHow) => void
}

function openingState(kind: GeneralReportName, today: string): ReportState {
  const known = STORED[kind].get()
  return known === null ? { ...defaultState(today), levels: firstLevels(kind) } : fromStored(known, today)
}

export interface OpenedReport extends ReportControl {
  /** True if the address had no report parameters when the screen opened. */
  readonly wasAddressEmpty: boolean
  /** Names of the parameters that the report leaves out of the address. */
  readonly leftOut: readonly string[]
}

export function useReportState(role: RoleKind): OpenedReport {
  // readSearch accepts any address.
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const today = businessToday()
  const inAddress = useMemo(() => readSearch(search, today), [search, today])
  const [wasAddressEmpty] = useState(inAddress === null)
  const kind = useReportKind()
  const opening = useCallback(() => openingState(kind, today), [kind, today])
  const { data: formulas } = useQuery(formulasQuery)
  const state = useMemo(() => keepVisible(inAddress ?? opening(), role, formulas), [inAddress, opening, role, formulas])

  // Completes an address without report parameters, so that it can be copied.
  useEffect(() => {
    if (inAddress === null)
      void navigate({ to: '.', search: (before: Search) => writeSearch(opening(), before), replace: true })
  }, [inAddress, navigate, opening])

  const leftOut = [...findUnreadable(search), ...(inAddress === null ? [] : findHidden(inAddress, role))]

  const change: ReportControl['change'] = (edit, { replace = false } = {}) => {
    const next = { ...state, page: 1, ...edit }
    STORED[kind].set(toStored(next, presetOf({ from: next.from, to: next.to }, today)))
    void navigate({ to: '.', search: (before: Search) => writeSearch(next, before), replace })
  }
  return { state, change, wasAddressEmpty, leftOut }
}
