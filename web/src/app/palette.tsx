// The palette: type a few letters, go to a screen. The keyboard is enough.
import { Modal, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NavigationArea } from './navigation.ts'
import classes from './palette.module.css'

interface PaletteProps {
  areas: readonly NavigationArea[]
  onClose: () => void
}

export function Palette({ areas, onClose }: PaletteProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const found = findScreens(areas, query)
  const current = Math.min(chosen, found.length - 1)

  // Follows the chosen line: the list scrolls by itself.
  useEffect(() => {
    document.getElementById(`palette-${current}`)?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const open = (path: string) => {
    onClose()
    void navigate({ to: path })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setChosen((current + 1) % Math.max(1, found.length))
    else if (event.key === 'ArrowUp') setChosen((current - 1 + found.length) % Math.max(1, found.length))
    else if (event.key === 'Enter' && found[current]) open(found[current].path)
    else return
    event.preventDefault()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size={560}
      centered={false}
      yOffset="12vh"
      aria-label={t(($) => $.frame.search)}
    >
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
        {found.map(({ path, label, area, icon: Icon }, index) => (
          <button
            type="button"
            role="option"
            id={`palette-${index}`}
            key={path}
            tabIndex={-1}
            aria-selected={index === current}
            className={classes.result}
            onMouseMove={() => setChosen(index)}
            onClick={() => open(path)}
          >
            <Icon size={17} stroke={1.7} aria-hidden />
            <span className={classes.label}>{label}</span>
            <span className={classes.area}>{area}</span>
          </button>
        ))}
        {found.length === 0 ? <p className={classes.empty}>{t(($) => $.frame.searchEmpty, { query })}</p> : null}
      </div>
      <p className={classes.hint}>{t(($) => $.frame.searchHint)}</p>
    </Modal>
  )
}

function findScreens(areas: readonly NavigationArea[], query: string) {
  const words = query.trim().toLowerCase().split(/\s+/)
  return areas
    .flatMap(({ label: area, items }) => items.map((item) => ({ ...item, area })))
    .filter(({ label, area, path }) => words.every((word) => `${label} ${area} ${path}`.toLowerCase().includes(word)))
}
