// The palette finds records, screens and actions, and opens them by keyboard.
import { Modal, TextInput } from '@mantine/core'
import {
  IconBuildingStore,
  IconChartBar,
  IconClick,
  IconFile,
  IconLink,
  IconPlus,
  IconRoute,
  IconSearch,
  IconTags,
  IconUser,
  IconUserDollar,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { SearchAnswer } from '@tributary/contract/calls/search'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../data/http.ts'
import { holderOf, useProfile } from '../data/profile.ts'
import { useLabels } from '../i18n/labels.ts'
import { currentWords } from '../i18n/language.ts'
import { businessToday } from '../state/profile-facts.ts'
import { useStoredValue } from '../state/stored-value.ts'
import type { NavigationArea } from './navigation.ts'
import classes from './palette.module.css'
import {
  addRecent,
  findActions,
  findCreations,
  findPeriodReport,
  findRecords,
  findScreens,
  offerTrace,
  type PaletteItem,
  type PaletteSection,
} from './palette-items.ts'
import { recentItems } from './palette-recents.ts'
import { type PaletteText, QUERY_MAX, readPaletteText } from './palette-text.ts'
import { endTypeAhead, readTypeAhead } from './type-ahead.ts'

interface PaletteProps {
  areas: readonly NavigationArea[]
  isOpen: boolean
  onClose: () => void
}

export function Palette({ areas, isOpen, onClose }: PaletteProps) {
  const { t } = useTranslation()
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      padding={0}
      size={640}
      yOffset="12vh"
      // A palette that fades out would still receive the next key.
      transitionProps={{ exitDuration: 0 }}
    >
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content aria-label={t(($) => $.palette.label)}>
        <Modal.Body>
          <Search areas={areas} onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

const PAUSE_MS = 90
const NOTHING: SearchAnswer = { query: '', groups: [] }

/** Records for the text, command for after a short pause in typing; the former ones stay until new ones arrive. */
function useRecords(typed: string): { answer: SearchAnswer; isFailed: boolean; isPending: boolean } {
  const text = typed.slice(0, QUERY_MAX).trim()
  const [query, setQuery] = useState('')
  // Waits for a pause in typing.
  useEffect(() => {
    const timer = setTimeout(() => setQuery(text), text === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data, isError, isFetching } = useQuery({
    queryKey: ['search', query],
    queryFn: ({ signal }) => http.get<SearchAnswer>('search', { query: [['query', query]], signal }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (text === '') return { answer: NOTHING, isFailed: false, isPending: false }
  return { answer: data ?? NOTHING, isFailed: isError, isPending: isFetching || query !== text }
}

interface Command extends ReturnType<typeof useRecords> {
  readonly command: PaletteText
}

/** What is asked for, and the records for it. A verb with a typing error is understood if the whole text finds nothing. */
function useCommand(typed: string): Command {
  const words = currentWords().palette
  const exact = readPaletteText(typed, words)
  const forgiving = readPaletteText(typed, words, true)
  const found = useRecords(exact.text)
  const isNothing = !found.isPending && !found.isFailed && found.answer.groups.length === 0
  const isOther = isNothing && exact.verb === null && forgiving.verb !== null
  const others = useRecords(isOther ? forgiving.text : '')
  return isOther ? { command: forgiving, ...others } : { command: exact, ...found }
}

function usePaletteSections(areas: readonly NavigationArea[], typed: string) {
  const { t } = useTranslation()
  const labels = useLabels()
  const profile = useProfile()
  const holder = holderOf(profile)
  const [recents] = useStoredValue(recentItems)
  const words = currentWords().palette
  const { command, answer, isFailed, isPending } = useCommand(typed)
  const traceLabel = t(($) => $.traffic.trace.open, { id: typed.trim() })
  const screens: PaletteSection = { title: words.screens, items: findScreens(areas, typed) }
  if (typed.trim() === '') {
    const own = recents.user === profile.id ? recents.items : []
    return { sections: withItems([{ title: words.recent, items: own }, screens]), answer, isFailed, isPending }
  }
  const records = findRecords(answer, words, labels)
  const creations = findCreations(holder, labels, typed, words.verbs.create)
  const isNamed = ({ label }: PaletteItem) => label.toLowerCase() === typed.trim().toLowerCase()
  const actions: PaletteSection = {
    title: words.actions,
    items: [
      ...creations.filter(isNamed),
      ...findActions(answer, command, businessToday(), holder, words),
      ...findPeriodReport(command, businessToday(), holder, currentWords()),
      ...creations.filter((item) => !isNamed(item)),
      ...offerTrace(typed, traceLabel),
    ],
  }
  const isAction = command.verb !== null || command.period !== null
  const sections = isAction ? [actions, screens, ...records] : [screens, ...records, actions]
  return { sections: withItems(sections), answer, isFailed, isPending }
}

const withItems = (sections: readonly PaletteSection[]) => sections.filter(({ items }) => items.length > 0)

function Search({ areas, onClose }: Omit<PaletteProps, 'isOpen'>) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { id: user } = useProfile()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const [recents, setRecents] = useStoredValue(recentItems)
  const { sections, answer, isFailed, isPending } = usePaletteSections(areas, typed)
  const found = sections.flatMap(({ items }) => items)
  const current = Math.min(chosen, found.length - 1)

  // Takes the letters that were typed before the palette had the focus.
  useEffect(() => {
    readTypeAhead(setTyped)
    return endTypeAhead
  }, [])

  // Scrolls the active option into view.
  useEffect(() => {
    document.getElementById(`palette-${current}`)?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const open = (item: PaletteItem) => {
    onClose()
    setRecents({ user, items: addRecent(recents.user === user ? recents.items : [], item) })
    void navigate({ to: item.path, ...(item.search && { search: item.search }), ...(item.hash && { hash: item.hash }) })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setChosen((current + 1) % Math.max(1, found.length))
    else if (event.key === 'ArrowUp') setChosen((current - 1 + found.length) % Math.max(1, found.length))
    else if (event.key === 'Enter' && found[current]) open(found[current])
    else return
    event.preventDefault()
  }
  const isOtherText =
    answer.groups.length > 0 && !isPending && !typed.toLowerCase().includes(answer.query.toLowerCase())
  return (
    <>
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        className={classes.input}
        leftSection={<IconSearch size={17} aria-hidden />}
        placeholder={t(($) => $.palette.placeholder)}
        aria-label={t(($) => $.palette.label)}
        role="combobox"
        aria-expanded
        aria-controls="palette-results"
        aria-activedescendant={found[current] ? `palette-${current}` : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setChosen(0)
        }}
        onFocus={endTypeAhead}
        onKeyDown={onKey}
      />
      {isOtherText ? <p className={classes.note}>{t(($) => $.palette.searchedFor, { query: answer.query })}</p> : null}
      {isFailed ? (
        <p className={classes.note} role="status">
          {t(($) => $.palette.failed)}
        </p>
      ) : null}
      <div id="palette-results" role="listbox" aria-label={t(($) => $.palette.label)} className={classes.results}>
        {sections.map(({ title, items }, index) => (
          <ResultGroup
            key={title}
            title={title}
            items={items}
            start={sections.slice(0, index).reduce((sum, section) => sum + section.items.length, 0)}
            current={current}
            onChoose={setChosen}
            onOpen={open}
          />
        ))}
        {found.length === 0 && !isPending ? (
          <p className={classes.empty}>{t(($) => $.palette.empty, { query: typed })}</p>
        ) : null}
      </div>
      <p className={classes.hint}>{t(($) => $.palette.hint)}</p>
    </>
  )
}

interface ResultGroupProps extends PaletteSection {
  /** Number of options before this section. */
  start: number
  current: number
  onChoose: (index: number) => void
  onOpen: (item: PaletteItem) => void
}

function ResultGroup({ title, items, start, current, onChoose, onOpen }: ResultGroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options inside a listbox
    <div role="group" aria-label={title}>
      <div className={classes.section} aria-hidden>
        {title}
      </div>
      {items.map((item, index) => (
        <ResultRow
          key={item.key}
          item={item}
          index={start + index}
          isCurrent={start + index === current}
          onChoose={onChoose}
          onOpen={onOpen}
        />
      ))}
    </div>
  )
}

const ICONS: Readonly<Record<PaletteItem['kind'], TablerIcon>> = {
  screen: IconFile,
  create: IconPlus,
  report: IconChartBar,
  trace: IconRoute,
  partner: IconUsers,
  offer: IconTags,
  offer_partner: IconLink,
  player: IconUserDollar,
  click: IconClick,
  advertiser: IconBuildingStore,
  user: IconUser,
}

interface ResultRowProps {
  item: PaletteItem
  index: number
  isCurrent: boolean
  onChoose: (index: number) => void
  onOpen: (item: PaletteItem) => void
}

function ResultRow({ item, index, isCurrent, onChoose, onOpen }: ResultRowProps) {
  const { t } = useTranslation()
  const Icon = ICONS[item.kind]
  return (
    <button
      type="button"
      role="option"
      id={`palette-${index}`}
      tabIndex={-1}
      aria-selected={isCurrent}
      className={classes.result}
      onMouseMove={() => onChoose(index)}
      onClick={() => onOpen(item)}
    >
      <Icon size={17} stroke={1.7} aria-hidden />
      <span className={classes.label}>{item.label}</span>
      {item.isInactive ? <span className={classes.inactive}>{t(($) => $.palette.inactive)}</span> : null}
      <span className={classes.detail}>{item.detail}</span>
    </button>
  )
}
