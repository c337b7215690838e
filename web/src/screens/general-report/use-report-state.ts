// The state of the report on the screen: read from the address, written to the address and to storage. An address that says nothing is completed, so that it can be copied.
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { RoleKind } from '@tributary/contract/access'
import { useCallback, useEffect, useMemo } from 'react'
import { businessToday } from '../../state/business-zone.ts'
import { createStoredValue } from '../../state/stored-value.ts'
import { presetOf } from '../../ui/date-range.ts'
import {
  defaultState,
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
const stored = createStoredValue<StoredReport | null>('report:general', null, isStored)

export interface ReportControl {
  readonly state: ReportState
  /** Goes to page 1 unless the change names a page. */
  readonly change: (edit: Partial<ReportState>) => void
}

function openingState(today: string): ReportState {
  const known = stored.get()
  return known === null ? defaultState(today) : fromStored(known, today)
}

export function useReportState(role: RoleKind): ReportControl {
  // Typed by the report's own reader, which takes whatever an address holds.
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const today = businessToday()
  const asked = useMemo(() => readSearch(search, today), [search, today])
  const opening = useCallback(() => openingState(today), [today])
  const state = useMemo(() => keepVisible(asked ?? opening(), role), [asked, opening, role])

  // Follows the address: one that says nothing about the report is completed.
  useEffect(() => {
    if (asked === null)
      void navigate({ to: '.', search: (before: Search) => writeSearch(opening(), before), replace: true })
  }, [asked, navigate, opening])

  const change: ReportControl['change'] = (edit) => {
    const next = { ...state, page: 1, ...edit }
    stored.set(toStored(next, presetOf({ from: next.from, to: next.to }, today)))
    void navigate({ to: '.', search: (before: Search) => writeSearch(next, before) })
  }
  return { state, change }
}
