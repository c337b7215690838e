// Reads the state of a list from the address and writes it to the address and to storage. A bare address gets the opening state.
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { ListQuery } from '@tributary/contract/list-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useProfile } from '../../data/profile.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { isNow, TABLET } from '../../ui/narrow.ts'
import { entityOf } from '../field/field-at.ts'
import {
  defaultQuery,
  dropHidden,
  findLeftOut,
  fromStored,
  periodPath,
  readSearch,
  type Search,
  toStored,
  writeSearch,
} from './list-state.ts'
import { readDefaultView, readStoredList, rememberAddress, writeStoredList } from './list-storage.ts'

/** The state of a list, and what changes it. */
export interface ListControl {
  readonly query: ListQuery
  readonly defaults: ListQuery
  readonly isPanelOpen: boolean
  readonly setPanelOpen: (isOpen: boolean) => void
  /** True until the first change, if the address had no list parameters. */
  readonly isAsOpened: boolean
  /** What the list leaves out of the address: paths of fields, or names of parameters. */
  readonly leftOut: readonly string[]
  /** Replaces the whole state. */
  readonly show: (state: Pick<ListQuery, 'conditions' | 'order' | 'limit'>) => void
  /** Goes to page 1 unless the edit contains a page. `typing` replaces the browser's history entry instead of adding one. */
  readonly change: (edit: (query: ListQuery) => Partial<ListQuery>, typing?: boolean) => void
}

/** On narrow screens the panel is a drawer, which never opens by itself. */
const isNarrow = () => isNow(TABLET)
const isPanelKept = (name: EntityName): boolean => readStoredList(name)?.panel ?? entityOf(name).list.panel ?? false

/** The state of the list in the address. */
export function useListState(name: EntityName): ListControl {
  const role = useProfile().role.kind
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const { href, pathname } = useRouterState({ select: (state) => state.location })
  const period = periodPath(name)
  const today = businessToday()
  const defaults = useMemo(() => dropHidden(name, role, defaultQuery(name, today)), [name, role, today])
  const [isPanelOpen, setPanel] = useState(() => !isNarrow() && isPanelKept(name))

  const [isAsOpened, setAsOpened] = useState(false)
  // A list opens with its default view, or else with its last state.
  const opening = useCallback(() => {
    const view = readDefaultView(name)
    if (view !== null) return dropHidden(name, role, { ...defaults, ...view })
    const stored = readStoredList(name)
    return stored === null ? defaults : dropHidden(name, role, fromStored(stored, defaults, period))
  }, [name, role, defaults, period])

  const inAddress = useMemo(() => readSearch(search), [search])
  const query = useMemo(
    () => (inAddress === null ? opening() : dropHidden(name, role, inAddress)),
    [inAddress, opening, name, role],
  )

  const lost = useMemo(() => findLeftOut(name, role, search), [name, role, search])
  // What the address held before it was completed.
  const [lostBefore, setLostBefore] = useState<readonly string[]>([])
  const leftOut = lost.length > 0 ? lost : lostBefore

  // Completes an address without list parameters, so that it can be copied.
  useEffect(() => {
    if (inAddress !== null || pathname !== entityOf(name).route) return
    setAsOpened(true)
    setLostBefore(lost)
    void navigate({ to: '.', search: (before: Search) => writeSearch(opening(), before), hash: true, replace: true })
  }, [inAddress, navigate, opening, name, pathname, lost])

  // Remembers the address for Back. The next page's address may arrive before this component unmounts, hence the check.
  useEffect(() => {
    if (pathname === entityOf(name).route) rememberAddress(name, href)
  }, [name, href, pathname])

  const change: ListControl['change'] = (edit, typing = false) => {
    const next = { ...query, page: 1, ...edit(query) }
    setAsOpened(false)
    setLostBefore([])
    writeStoredList(name, toStored(next, isNarrow() ? isPanelKept(name) : isPanelOpen, period))
    void navigate({ to: '.', search: (before: Search) => writeSearch(next, before), replace: typing })
  }
  const show: ListControl['show'] = useCallback(
    ({ conditions, order, limit }) => {
      setAsOpened(false)
      setLostBefore([])
      const next = dropHidden(name, role, { ...defaults, conditions, order, limit })
      void navigate({ to: '.', search: (before: Search) => writeSearch(next, before) })
    },
    [name, role, defaults, navigate],
  )
  const setPanelOpen = (isOpen: boolean) => {
    setPanel(isOpen)
    if (!isNarrow()) writeStoredList(name, toStored(query, isOpen, period))
  }
  return { query, defaults, isPanelOpen, setPanelOpen, change, isAsOpened, leftOut, show }
}
