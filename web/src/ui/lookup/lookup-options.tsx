// Loads the options of a select by typed text, a page at a time, and the next page on scroll. A failed load shows an error and a retry
// in the place of the options, without a notification.

import { Combobox, type ComboboxStore, Loader } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { OPTION_CAP, SEARCH_DELAY_MS } from '@tributary/contract/limits'
import type { LookupAnswer } from '@tributary/contract/list-query'
import { type KeyboardEvent, type UIEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './lookup-select.module.css'

interface LookupDropdownProps {
  state: LookupState
  labelOf: (option: LookupOption) => string
  isChosen: (option: LookupOption) => boolean
}

const NEAR_END_PX = 48

/** The list of options: ticks on selected ones, more on scroll, a message if there are none. */
export function LookupDropdown({ state, labelOf, isChosen }: LookupDropdownProps) {
  const { t } = useTranslation()
  const onScroll = ({ currentTarget: box }: UIEvent<HTMLDivElement>) => {
    if (box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END_PX) state.loadMore()
  }
  return (
    <Combobox.Dropdown>
      <Combobox.Options className={classes.options} onScroll={onScroll}>
        {state.options.map((option) => (
          <Combobox.Option
            key={option.id}
            value={String(option.id)}
            active={isChosen(option)}
            className={classes.option}
          >
            <span className={classes.text}>{labelOf(option)}</span>
            {isChosen(option) ? <IconCheck size={14} aria-hidden /> : null}
          </Combobox.Option>
        ))}
        {state.isLoading ? (
          <div className={classes.note}>
            <Loader size={14} /> {state.options.length === 0 ? t(($) => $.select.loading) : t(($) => $.select.more)}
          </div>
        ) : null}
        {state.hasFailed ? (
          // An option, so that the keyboard reaches it like the others.
          <Combobox.Option value={RETRY} className={`${classes.option} ${classes.failed}`}>
            <span className={classes.text}>{t(($) => $.select.failed)}</span>
            <span className={classes.again}>{t(($) => $.errors.retry)}</span>
          </Combobox.Option>
        ) : null}
        {!state.isLoading && !state.hasFailed && state.options.length === 0 ? (
          <Combobox.Empty>{t(($) => $.select.nothing)}</Combobox.Empty>
        ) : null}
      </Combobox.Options>
    </Combobox.Dropdown>
  )
}

export type LookupOption = LookupAnswer['options'][number]
export type LoadOptions = (query: string, page: number, signal: AbortSignal) => Promise<LookupAnswer>

export interface LookupState {
  readonly options: readonly LookupOption[]
  /** True if the options were found by the present text; until then they are those of an earlier one. */
  readonly isOfQuery: boolean
  readonly isLoading: boolean
  readonly hasFailed: boolean
  readonly loadMore: () => void
  /** Requests again the page that failed to load. */
  readonly retry: () => void
}

/** The option value of the line that reports the failure and offers a retry. */
export const RETRY = 'retry'

interface Loaded {
  readonly query: string
  readonly options: readonly LookupOption[]
  readonly page: number
  readonly lastPage: number
}

const NOTHING: Loaded = { query: '', options: [], page: 0, lastPage: 1 }

/** Requests nothing until `isOpen`. `load` may change with every render; only `query` and `isOpen` start a new search. */
export function useLookupOptions(load: LoadOptions, query: string, isOpen: boolean): LookupState {
  const [loaded, setLoaded] = useState<Loaded>(NOTHING)
  const [status, setStatus] = useState<'idle' | 'loading' | 'failed'>('idle')
  const loader = useRef(load)
  const underWay = useRef<AbortController | null>(null)

  // Stores the newest `load` without a new search.
  useEffect(() => {
    loader.current = load
  })

  const fetchPage = useRef((search: string, page: number, before: readonly LookupOption[]) => {
    underWay.current?.abort()
    const control = new AbortController()
    underWay.current = control
    setStatus('loading')
    loader.current(search, page, control.signal).then(
      ({ options, pagination }) => {
        if (control.signal.aborted) return
        setLoaded({
          query: search,
          options: [...before, ...options].slice(0, OPTION_CAP),
          page,
          lastPage: pagination.maxPageNumber,
        })
        setStatus('idle')
      },
      () => {
        if (!control.signal.aborted) setStatus('failed')
      },
    )
  })

  // Searches after a pause in typing; the first, empty search needs no pause.
  useEffect(() => {
    if (!isOpen) return
    const timer = setTimeout(() => fetchPage.current(query, 1, []), query === '' ? 0 : SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isOpen, query])

  // Aborts the request when the select unmounts.
  useEffect(() => () => underWay.current?.abort(), [])

  const isOfQuery = loaded.page > 0 && loaded.query === query
  const askNext = () =>
    isOfQuery ? fetchPage.current(query, loaded.page + 1, loaded.options) : fetchPage.current(query, 1, [])
  const loadMore = () => {
    const hasMore = loaded.page < loaded.lastPage && loaded.options.length < OPTION_CAP
    if (status === 'idle' && hasMore && isOfQuery) askNext()
  }
  const hasFailed = status === 'failed'
  return {
    // After a failure, options of another text must not show as results of this one.
    options: hasFailed && !isOfQuery ? NOTHING.options : loaded.options,
    isOfQuery,
    isLoading: status === 'loading',
    hasFailed,
    loadMore,
    retry: askNext,
  }
}

/**
 * While somebody types, Enter takes the first option that is found. Returns a handler for the input: until one is found, Enter does nothing, where
 * it would submit the form.
 */
export function useFirstOption(combobox: ComboboxStore, { options, isOfQuery }: LookupState, query: string) {
  const isFound = query !== '' && isOfQuery && options.length > 0
  const selectFirst = useEffectEvent(() => combobox.selectFirstOption())
  // The options are drawn by now.
  useEffect(() => {
    if (isFound) selectFirst()
  }, [isFound])
  return (event: KeyboardEvent) => {
    if (event.key === 'Enter' && query !== '' && !isFound) event.preventDefault()
  }
}

/** 'Title', or 'Title · value' if options carry a value (a dash if this one is null). */
export function plainOptionLabel({ title, value }: LookupOption): string {
  return value === undefined ? title : `${title} · ${value ?? '–'}`
}
