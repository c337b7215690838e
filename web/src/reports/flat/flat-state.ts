// The state of a flat report in the address and in storage: days, filters, choices, sort and page. The address wins over storage.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Period, type Preset, presetPeriod } from '@tributary/contract/period'
import type { SavedReport, SavedReportState } from '@tributary/contract/reports/saved'
import { useMemo, useState } from 'react'
import { businessToday } from '../../state/profile-facts.ts'
import { createStoredValue, type StoredValue } from '../../state/stored-value.ts'
import { presetOf } from '../../ui/date/date-range.ts'
import {
  type FilterControl,
  type FilterState,
  type Filters,
  readColumns,
  readDays,
  readFilters,
  readPage,
  readSort,
  writeFilters,
  writeSort,
} from '../filter/filter-state.ts'

type Search = Readonly<Record<string, unknown>>
export type Choices = Readonly<Record<string, readonly string[]>>

export interface FlatShape<C extends Choices> {
  /** Where it is kept. */
  readonly store: StoredValue<Search>
  /** The days with which it opens. */
  readonly preset: Preset | ((today: string) => Period)
  /** Names of choices and their options, the first of each chosen at the beginning. */
  readonly choices: C
}

export interface FlatState<C extends Choices> extends FilterState {
  readonly filters: Filters
  readonly choices: { readonly [K in keyof C]: C[K][number] }
  readonly sort: { readonly by: string; readonly desc: boolean } | null
  readonly page: number
  /** Columns that are shown, in their order; null = all that there are. */
  readonly columns: readonly string[] | null
}

export interface FlatControl<C extends Choices> extends FilterControl {
  readonly state: FlatState<C>
  readonly change: (
    edit: Partial<Omit<FlatState<C>, 'choices'>> & { choices?: Partial<FlatState<C>['choices']> },
  ) => void
  /** The days of the state, unless they are those with which the report opens by itself, whatever the day. */
  readonly ownDays: Period | null
  /** The address said nothing when the screen was opened. */
  readonly wasSilent: boolean
  /** Shows what was kept by name. */
  readonly open: (saved: SavedReport) => void
  /** The state as it is kept by name. */
  readonly keep: () => Pick<SavedReportState, 'search' | 'preset'>
}

const isSearch = (value: unknown): value is Search =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const storeFlat = (name: string): StoredValue<Search> =>
  createStoredValue<Search>(`report:${name}`, {}, isSearch)

const daysOf = ({ preset }: FlatShape<Choices>, today: string): Period =>
  typeof preset === 'function' ? preset(today) : presetPeriod(preset, today)

function readState<C extends Choices>(search: Search, shape: FlatShape<C>, today: string): FlatState<C> {
  const choices = Object.entries(shape.choices).map(([name, options]) => [
    name,
    options.find((option) => option === search[name]) ?? options[0],
  ])
  return {
    ...(readDays(search) ?? daysOf(shape, today)),
    filters: readFilters(search),
    // Every name of the shape has one of its own options.
    choices: Object.fromEntries(choices) as FlatState<C>['choices'],
    sort: readSort(search.sort),
    page: readPage(search.page),
    columns: readColumns(search.columns),
  }
}

function writeState<C extends Choices>(state: FlatState<C>): Record<string, unknown> {
  return {
    from: state.from,
    to: state.to,
    ...state.choices,
    ...writeFilters(state.filters),
    ...(state.sort && { sort: writeSort(state.sort) }),
    ...(state.page !== 1 && { page: state.page }),
    ...(state.columns !== null && { columns: state.columns.join('.') }),
  }
}

/** The report's `filter`, without its choices. */
export const filterRequest = ({ from, to, filters }: FilterState) => ({
  dateFrom: from,
  dateTo: to,
  ...writeFilters(filters),
})

export function useFlatState<C extends Choices>(shape: FlatShape<C>): FlatControl<C> {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const today = businessToday()
  const isBare = Object.keys(search).length === 0
  const state = useMemo(() => {
    // Days are not kept: a report opens on its own.
    const { from: _from, to: _to, page: _page, ...kept } = shape.store.get()
    return readState(isBare ? kept : search, shape, today)
  }, [search, isBare, shape, today])
  const [wasSilent] = useState(isBare)
  const change: FlatControl<C>['change'] = ({ choices, ...edit }) => {
    const next = writeState({ ...state, page: 1, ...edit, choices: { ...state.choices, ...choices } })
    shape.store.set(next)
    void navigate({ to: '.', search: () => next })
  }
  const { from, to } = state
  const opening = daysOf(shape, today)
  const isOpening = typeof shape.preset === 'function' && opening.from === from && opening.to === to
  return {
    state,
    change,
    ownDays: isOpening ? null : { from, to },
    wasSilent,
    open({ state: { search: kept, preset } }) {
      const next = preset === null ? kept : { ...kept, ...presetPeriod(preset, today) }
      shape.store.set(next)
      void navigate({ to: '.', search: () => ({ ...writeState(readState(next, shape, today)) }) })
    },
    keep() {
      const { from: _from, to: _to, ...rest } = writeState({ ...state, page: 1 })
      return { search: isOpening ? rest : { ...rest, from, to }, preset: presetOf({ from, to }, today) }
    },
  }
}
