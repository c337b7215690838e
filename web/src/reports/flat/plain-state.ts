// What a report without levels of its own is asked for, in the address and in storage: days, filters, a few choices, order and page. The address wins over storage.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { isDay, type Period, type Preset, presetPeriod } from '@tributary/contract/period'
import { REPORT_FILTER_NAMES } from '@tributary/contract/reports/choices'
import type { SavedReport, SavedReportState } from '@tributary/contract/reports/saved'
import { useMemo, useState } from 'react'
import { businessToday } from '../../state/profile-facts.ts'
import { createStoredValue, type StoredValue } from '../../state/stored-value.ts'
import { presetOf } from '../../ui/date/date-range.ts'
import {
  type FilterControl,
  type FilterState,
  type Filters,
  readNarrowing,
  writeNarrowing,
} from '../filter/filter-state.ts'

type Search = Readonly<Record<string, unknown>>
export type Choices = Readonly<Record<string, readonly string[]>>

export interface PlainShape<C extends Choices> {
  /** Where it is kept. */
  readonly store: StoredValue<Search>
  /** The days with which it opens. */
  readonly preset: Preset | ((today: string) => Period)
  /** Names of choices and their options, the first of each chosen at the beginning. */
  readonly choices: C
}

export interface PlainState<C extends Choices> extends FilterState {
  readonly filters: Filters
  readonly choices: { readonly [K in keyof C]: C[K][number] }
  readonly sort: { readonly by: string; readonly desc: boolean } | null
  readonly page: number
  /** Columns that are shown, in their order; null = all that there are. */
  readonly columns: readonly string[] | null
}

export interface PlainControl<C extends Choices> extends FilterControl {
  readonly state: PlainState<C>
  readonly change: (
    edit: Partial<Omit<PlainState<C>, 'choices'>> & { choices?: Partial<PlainState<C>['choices']> },
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
export const storePlain = (name: string): StoredValue<Search> =>
  createStoredValue<Search>(`report:${name}`, {}, isSearch)

const daysOf = ({ preset }: PlainShape<Choices>, today: string): Period =>
  typeof preset === 'function' ? preset(today) : presetPeriod(preset, today)

function readState<C extends Choices>(search: Search, shape: PlainShape<C>, today: string): PlainState<C> {
  const days = daysOf(shape, today)
  const { from, to, sort, page, columns } = search
  const hasDays = typeof from === 'string' && typeof to === 'string' && isDay(from) && isDay(to) && from <= to
  const filters = REPORT_FILTER_NAMES.flatMap((name) => {
    const narrowing = readNarrowing(name, search[name])
    return narrowing === null ? [] : [[name, narrowing] as const]
  })
  const choices = Object.entries(shape.choices).map(([name, options]) => [
    name,
    options.find((option) => option === search[name]) ?? options[0],
  ])
  return {
    ...(hasDays ? { from, to } : days),
    filters: Object.fromEntries(filters),
    // Every name of the shape has one of its own options.
    choices: Object.fromEntries(choices) as PlainState<C>['choices'],
    sort: typeof sort === 'string' ? { by: sort.replace(/^-/, ''), desc: sort.startsWith('-') } : null,
    page: typeof page === 'number' && Number.isSafeInteger(page) && page > 0 ? page : 1,
    columns: typeof columns === 'string' && columns !== '' ? [...new Set(columns.split('.'))] : null,
  }
}

function writeState<C extends Choices>(state: PlainState<C>): Record<string, unknown> {
  return {
    from: state.from,
    to: state.to,
    ...state.choices,
    ...narrowingOf(state.filters),
    ...(state.sort && { sort: `${state.sort.desc ? '-' : ''}${state.sort.by}` }),
    ...(state.page !== 1 && { page: state.page }),
    ...(state.columns !== null && { columns: state.columns.join('.') }),
  }
}

/** Filters as the wire has them. */
export function narrowingOf(filters: Filters): Record<string, unknown> {
  return Object.fromEntries(
    REPORT_FILTER_NAMES.flatMap((name) => {
      const narrowing = filters[name]
      return narrowing === undefined ? [] : [[name, writeNarrowing(name, narrowing)]]
    }),
  )
}

export function usePlainState<C extends Choices>(shape: PlainShape<C>): PlainControl<C> {
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
  const change: PlainControl<C>['change'] = ({ choices, ...edit }) => {
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
