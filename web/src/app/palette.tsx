// The palette finds screens by a few letters and opens them by keyboard.
import { Modal, TextInput } from '@mantine/core'
import { IconRoute, IconSearch, type TablerIcon } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NavigationArea } from './navigation.ts'
import classes from './palette.module.css'

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
      size={560}
      yOffset="12vh"
      // A palette that fades out would still receive the next key.
      transitionProps={{ exitDuration: 0 }}
    >
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content aria-label={t(($) => $.frame.search)}>
        <Modal.Body>
          <Search areas={areas} onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function Search({ areas, onClose }: Omit<PaletteProps, 'isOpen'>) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const found = [
    ...findScreens(areas, query),
    ...offerTrace(
      query,
      t(($) => $.traffic.trace.open, { id: query.trim() }),
    ),
  ]
  const current = Math.min(chosen, found.length - 1)

  // Scrolls the active option into view.
  useEffect(() => {
    document.getElementById(`palette-${current}`)?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const open = ({ path, search }: Pick<FoundItem, 'path' | 'search'>) => {
    onClose()
    void navigate({ to: path, ...(search && { search }) })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setChosen((current + 1) % Math.max(1, found.length))
    else if (event.key === 'ArrowUp') setChosen((current - 1 + found.length) % Math.max(1, found.length))
    else if (event.key === 'Enter' && found[current]) open(found[current])
    else return
    event.preventDefault()
  }
  return (
    <>
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        className={classes.input}
        leftSection={<IconSearch size={17} aria-hidden />}
        placeholder={t(($) => $.frame.search)}
        aria-label={t(($) => $.frame.search)}
        role="combobox"
        aria-expanded
        aria-controls="palette-results"
        aria-activedescendant={found[current] ? `palette-${current}` : undefined}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value)
          setChosen(0)
        }}
        onKeyDown={onKey}
      />
      <div id="palette-results" role="listbox" aria-label={t(($) => $.frame.searchScreens)} className={classes.results}>
        {found.map(({ path, search, label, area, icon: Icon }, index) => (
          <button
            type="button"
            role="option"
            id={`palette-${index}`}
            key={search === undefined ? path : `${path} ${search.id}`}
            tabIndex={-1}
            aria-selected={index === current}
            className={classes.result}
            onMouseMove={() => setChosen(index)}
            onClick={() => open({ path, search })}
          >
            <Icon size={17} stroke={1.7} aria-hidden />
            <span className={classes.label}>{label}</span>
            <span className={classes.area}>{area}</span>
          </button>
        ))}
        {found.length === 0 ? <p className={classes.empty}>{t(($) => $.frame.searchEmpty, { query })}</p> : null}
      </div>
      <p className={classes.hint}>{t(($) => $.frame.searchHint)}</p>
    </>
  )
}

interface FoundItem {
  readonly path: string
  readonly search?: { readonly id: string } | undefined
  readonly label: string
  readonly area: string
  readonly icon: TablerIcon
}

const SHORTEST_ID = 3

/** Offers to trace any text that may be an ID. */
function offerTrace(query: string, label: string): FoundItem[] {
  const id = query.trim()
  if (id.length < SHORTEST_ID || /\s/.test(id)) return []
  return [{ path: '/trace', search: { id }, label, area: '', icon: IconRoute }]
}

function findScreens(areas: readonly NavigationArea[], query: string): FoundItem[] {
  const words = query.trim().toLowerCase().split(/\s+/)
  return areas
    .flatMap(({ label: area, items }) => items.map((item) => ({ ...item, area })))
    .filter(({ label, area, path }) => words.every((word) => `${label} ${area} ${path}`.toLowerCase().includes(word)))
}
