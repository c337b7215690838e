// The menu: favourites, and the areas, which the user folds. When the menu is collapsed it shows the icons of everything with tooltips.
import { Tooltip, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconStar, IconStarFilled } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { savePreferences, usePreferences } from '../data/user-preferences.ts'
import { areasOpenAtFirst, currentItem, type NavigationArea, type NavigationItem } from './navigation.ts'
import classes from './side-menu.module.css'

interface SideMenuProps {
  areas: readonly NavigationArea[]
  isShort?: boolean
  onOpen?: () => void
}

export function SideMenu({ areas, isShort = false, onOpen }: SideMenuProps) {
  const { t } = useTranslation()
  const { favourites, areas: chosen } = usePreferences()
  const openAtFirst = areasOpenAtFirst(areas)
  const items = areas.flatMap((area) => area.items)
  const current = useRouterState({ select: ({ location }) => currentItem(items, location.pathname)?.path })
  const pinned = favourites.flatMap((path) => items.find((item) => item.path === path) ?? [])
  const show = (item: NavigationItem, isFavourite = false) => (
    <MenuItem
      key={item.path}
      {...{ item, isShort, onOpen, favourites, isFavourite }}
      isCurrent={item.path === current}
    />
  )
  const isOpen = ({ area }: NavigationArea): boolean =>
    chosen[area] === undefined ? openAtFirst.has(area) : chosen[area] === 'open'
  const showArea = (area: NavigationArea, index: number) =>
    isShort || area.area === 'dashboard' ? (
      <section key={area.area}>
        {index + pinned.length > 0 ? <div className={classes.line} /> : null}
        <ul className={classes.list} aria-label={area.label}>
          {area.items.map((item) => show(item))}
        </ul>
      </section>
    ) : (
      <FoldableArea
        key={area.area}
        area={area}
        isOpen={isOpen(area)}
        onToggle={(open) =>
          void savePreferences(({ areas }) => ({ areas: { ...areas, [area.area]: open ? 'open' : 'folded' } }))
        }
        current={current}
        show={show}
      />
    )
  // Folded areas at the end stay in sight, however many favourites there are.
  const firstFolded = areas.findLastIndex((area) => isShort || area.area === 'dashboard' || isOpen(area)) + 1
  return (
    <nav className={classes.menu} aria-label={t(($) => $.frame.navigation)}>
      <div className={classes.scrolled}>
        {pinned.length === 0 ? null : (
          <section>
            {isShort ? null : <div className={classes.area}>{t(($) => $.frame.favourites)}</div>}
            <ul className={classes.list} aria-label={t(($) => $.frame.favourites)}>
              {pinned.map((item) => show(item, true))}
            </ul>
          </section>
        )}
        {areas.slice(0, firstFolded).map(showArea)}
      </div>
      {firstFolded === areas.length ? null : (
        <div className={classes.folded}>{areas.slice(firstFolded).map(showArea)}</div>
      )}
    </nav>
  )
}

interface FoldableAreaProps {
  area: NavigationArea
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
  /** The path of the entry whose screen is open. */
  current: string | undefined
  show: (item: NavigationItem) => React.ReactNode
}

/** A folded area still shows the screen that is open. */
function FoldableArea({ area: { area, label, items }, isOpen, onToggle, current, show }: FoldableAreaProps) {
  const id = `menu-${area}`
  const toggle = () => {
    onToggle(!isOpen)
    // The area may move to another part of the menu, where its button is a new one.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[aria-controls="${id}"]`)?.focus())
  }
  return (
    <section>
      <UnstyledButton
        className={`${classes.area} ${classes.fold}`}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        {label}
        <IconChevronDown size={13} aria-hidden />
      </UnstyledButton>
      <ul id={id} className={classes.list} aria-label={label}>
        {items.filter((item) => isOpen || item.path === current).map((item) => show(item))}
      </ul>
    </section>
  )
}

interface MenuItemProps {
  item: NavigationItem
  isShort: boolean
  onOpen: (() => void) | undefined
  favourites: readonly string[]
  isCurrent: boolean
  /** Whether this is the entry among the favourites. */
  isFavourite: boolean
}

function MenuItem({ item, isShort, onOpen, favourites, isCurrent, isFavourite }: MenuItemProps) {
  const { path, label, icon: Icon } = item
  const place = useRef<HTMLLIElement>(null)
  // Scrolls the current item into view.
  useEffect(() => {
    if (!isCurrent || isFavourite) return
    // The next frame lays the page out anyway; here it would be laid out once more.
    const frame = requestAnimationFrame(() => place.current?.scrollIntoView({ block: 'nearest' }))
    return () => cancelAnimationFrame(frame)
  }, [isCurrent, isFavourite])
  const link = (
    <Link
      to={path}
      className={classes.item ?? ''}
      {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
      {...(isShort ? { 'aria-label': label } : {})}
      {...(onOpen ? { onClick: onOpen } : {})}
    >
      <Icon size={18} stroke={1.7} aria-hidden />
      {isShort ? null : <span>{label}</span>}
    </Link>
  )
  return (
    <li ref={place} className={classes.entry}>
      {isShort ? (
        <Tooltip label={label} position="right" openDelay={100}>
          {link}
        </Tooltip>
      ) : (
        link
      )}
      {isShort ? null : <PinButton path={path} label={label} favourites={favourites} />}
    </li>
  )
}

function PinButton({ path, label, favourites }: { path: string; label: string; favourites: readonly string[] }) {
  const { t } = useTranslation()
  const isPinned = favourites.includes(path)
  const Icon = isPinned ? IconStarFilled : IconStar
  const toggle = (all: readonly string[]) => {
    const others = all.filter((other) => other !== path)
    return isPinned ? others : [...others, path]
  }
  return (
    <button
      type="button"
      className={classes.pin}
      aria-label={t(($) => (isPinned ? $.frame.unpin : $.frame.pin), { title: label })}
      onClick={() => void savePreferences((now) => ({ favourites: toggle(now.favourites) }))}
    >
      <Icon size={14} aria-hidden />
    </button>
  )
}
