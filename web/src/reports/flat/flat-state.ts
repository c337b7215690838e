// The state of a report without levels (a flat report): days, filters, choices, sort, page and columns. The address holds it, so that it can be
// shared. The browser stores the last state of each report, without days and page, for an address without parameters.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Period, type Preset, presetPeriod } from '@tributary/contract/period'
import { REPORT_FILTER_NAMES, reportFilterOf } from '@tributary/contract/reports/choices'
import type { SavedReport, SavedReportState } from '@tributary/contract/reports/saved'
import { isVisibleTo } from '@tributary/contract/reports/traffic'
import { useMemo, useState } from 'react'
import { businessToday, currentHolder } from '../../state/profile-facts.ts'
import { createStoredValue, type StoredValue } from '../../state/stored-value.ts'
import { presetOf } from '../../ui/date/date-range.ts'
import {
  type ChangeHow,
  type FilterControl,
  type FilterState,
  type Filters,
  keepFilters,
  readColumns,
  readDays,
  readFilters,
  readPage,
  readSort,
  writeFilters,
  writeSort,
} from '../filter/filter-state.ts'

type Search = Readonly<Record<string, unknown>>
/** Options of each choice of a report, by the choice's name. */
export type Choices = Readonly<Record<string, readonly string[]>>

/** How the state of one report differs from that of others. */
export interface FlatShape<C extends Choices> {
  /** Stores the last state in this browser. */
  readonly store: StoredValue<Search>
  /** The initial period. */
  readonly preset: Preset | ((today: string) => Period)
  /** Choices and their options; the first option is the default. */
  readonly choices: C
}

export interface FlatState<C extends Choices> extends FilterState {
  readonly filters: Filters
  readonly choices: { readonly [K in keyof C]: C[K][number] }
  readonly sort: { readonly by: string; readonly desc: boolean } | null
  readonly page: number
  /** Shown columns in their order; null shows all. */
  readonly columns: readonly string[] | null
}

/** Reads and changes the state; a change is written to the address and the store. */
export interface FlatControl<C extends Choices> extends FilterControl {
  readonly state: FlatState<C>
  readonly change: (
    edit: Partial<Omit<FlatState<C>, 'choices'>> & { choices?: Partial<FlatState<C>['choices']> },
    how?: ChangeHow,
  ) => void
  /** The days of the state; null if they equal the initial period, which moves with the day. */
  readonly ownDays: Period | null
  /** Names of the parameters that the report leaves out of the address. */
  readonly leftOut: readonly string[]
  /** True if the address had no parameters when the screen opened. */
  readonly wasAddressEmpty: boolean
  /** Shows a saved report. */
  readonly open: (saved: SavedReport) => void
  /** The state in the form of a saved report. */
  readonly toSaved: () => Pick<SavedReportState, 'search' | 'preset'>
}

const isSearch = (value: unknown): value is Search =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** The store of a report's last state; `name` is unique among reports. */
export const storeFlat = (name: string): StoredValue<Search> =>
  createStoredValue<Search>(`report:${name}`, {}, isSearch)

const daysOf = ({ preset }: FlatShape<Choices>, today: string): Period =>
  typeof preset === 'function' ? preset(today) : presetPeriod(preset, today)

/** Without those that are hidden from the user: an address may come from somebody else. */
const readVisibleFilters = (search: Search): Filters =>
  keepFilters(readFilters(search), (name) => isVisibleTo(reportFilterOf(name), currentHolder()?.role ?? 'PARTNER'))

function readState<C extends Choices>(search: Search, shape: FlatShape<C>, today: string): FlatState<C> {
  const choices = Object.entries(shape.choices).map(([name, options]) => [
    name,
    options.find((option) => option === search[name]) ?? options[0],
  ])
  return {
    ...(readDays(search) ?? daysOf(shape, today)),
    filters: readVisibleFilters(search),
    // `choices` has an entry with a valid option for every choice of the shape.
    choices: Object.fromEntries(choices) as FlatState<C>['choices'],
    sort: readSort(search.sort),
    page: readPage(search.page),
    columns: readColumns(search.columns),
  }
}

/** Names of the parameters that `readState` leaves out: it cannot read them, or they are hidden from the user. */
export function findLeftOut(search: Search, choices: Choices): string[] {
  const filters = readVisibleFilters(search)
  const isRead: Readonly<Record<string, (value: unknown) => boolean>> = {
    from: () => readDays(search) !== null,
    to: () => readDays(search) !== null,
    ...Object.fromEntries(REPORT_FILTER_NAMES.map((name) => [name, () => filters[name] !== undefined])),
    ...Object.fromEntries(
      Object.entries(choices).map(([name, options]) => [
        name,
        (value: unknown) => options.some((option) => option === value),
      ]),
    ),
  }
  return Object.keys(isRead).filter((name) => search[name] !== undefined && isRead[name]?.(search[name]) === false)
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
    // Days are not stored: the report opens with its initial period.
    const { from: _from, to: _to, page: _page, ...stored } = shape.store.get()
    return readState(isBare ? stored : search, shape, today)
  }, [search, isBare, shape, today])
  const [wasAddressEmpty] = useState(isBare)
  const leftOut = useMemo(() => findLeftOut(search, shape.choices), [search, shape])
  const change: FlatControl<C>['change'] = ({ choices, ...edit }, { replace = false } = {}) => {
    const next = writeState({ ...state, page: 1, ...edit, choices: { ...state.choices, ...choices } })
    shape.store.set(next)
    void navigate({ to: '.', search: () => next, replace })
  }
  const { from, to } = state
  const initial = daysOf(shape, today)
  const isInitial = typeof shape.preset === 'function' && initial.from === from && initial.to === to
  return {
    state,
    change,
    leftOut,
    ownDays: isInitial ? null : { from, to },
    wasAddressEmpty,
    open({ state: { search: saved, preset } }) {
      const next = preset === null ? saved : { ...saved, ...presetPeriod(preset, today) }
      shape.store.set(next)
      void navigate({ to: '.', search: () => ({ ...writeState(readState(next, shape, today)) }) })
    },
    toSaved() {
      const { from: _from, to: _to, ...rest } = writeState({ ...state, page: 1 })
      return { search: isInitial ? rest : { ...rest, from, to }, preset: presetOf({ from, to }, today) }
    },
  }
}
