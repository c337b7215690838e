// The frame of every signed-in screen: menu on the left, toolbar on top. Below 860 px the menu is a drawer.
import { ActionIcon, Drawer, Tooltip } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconMenu2, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive } from '../data/live.ts'
import { fetchOptions, lookupLoader } from '../data/lookup.ts'
import { holderOf, profileQuery, useProfile } from '../data/profile.ts'
import { keys, queryClient } from '../data/query-client.ts'
import { currentWords, loadScreenWords } from '../i18n/language.ts'
import { keyLetter } from '../lib/key-letter.ts'
import { lazyComponent } from '../lib/lazy-component.tsx'
import { localStore } from '../lib/storage.ts'
import { forgetCopies } from '../reports/run/report-copy.ts'
import { groupFilter, isMenuCollapsed } from '../state/preferences.ts'
import { useStoredValue } from '../state/stored-value.ts'
import { LanguageMenu, ThemeMenu } from '../ui/frame-menus.tsx'
import { Logo } from '../ui/logo.tsx'
import { LookupSelect } from '../ui/lookup/lookup-select.tsx'
import { DefinitionTooltip } from './definition-tooltip.tsx'
import classes from './frame.module.css'
import { type NavigationArea, resolveNavigation, SHORTCUTS } from './navigation.ts'
import { ProfileMenu } from './profile-menu.tsx'
import { ShellBanners } from './shell-banners.tsx'
import side from './side-menu.module.css'
import { SideMenu } from './side-menu.tsx'
import { endTypeAhead, startTypeAhead } from './type-ahead.ts'

type Shortcut = (typeof SHORTCUTS)[string]

interface ShortcutActions {
  openPalette: () => void
  openShortcut: (shortcut: Shortcut) => void
}

const Palette = lazyComponent('palette', async () => {
  const [{ Palette }] = await Promise.all([import('./palette.tsx'), loadScreenWords()])
  return Palette
})

const PAUSE_MS = 1200

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

/** Global shortcuts: Ctrl/Cmd+K opens the palette, `/` focuses the search of the page, `g` and a letter opens an area. */
function useShortcuts({ openPalette, openShortcut }: ShortcutActions): void {
  const onPalette = useEffectEvent(openPalette)
  const onShortcut = useEffectEvent(openShortcut)
  // Listens to the keys of the whole page.
  useEffect(() => {
    let goAt = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && keyLetter(event) === 'k') {
        event.preventDefault()
        onPalette()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const letter = keyLetter(event)
      const shortcut = SHORTCUTS[letter]
      if (event.timeStamp - goAt < PAUSE_MS && shortcut) {
        goAt = Number.NEGATIVE_INFINITY
        onShortcut(shortcut)
      } else if (letter === 'g') goAt = event.timeStamp
      else if (event.key === '/') focusSearch(event)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** Screens mark their search input with `data-search`. */
function focusSearch(event: KeyboardEvent): void {
  const input = document.querySelector<HTMLInputElement>('input[data-search]')
  if (!input) return
  event.preventDefault()
  input.focus()
  input.select()
}

const loadGroups = lookupLoader('partner_group')

/** The admin's filter by one partner group. It limits every screen to the group's data and is stored in this browser. */
function GroupFilter() {
  const { t } = useTranslation()
  const isAdmin = useProfile().role.kind === 'ADMIN'
  const [group, setGroup] = useStoredValue(groupFilter)
  const { data } = useQuery({
    queryKey: keys.lookup('partner_group', `id=${group}`),
    queryFn: ({ signal }) => fetchOptions('partner_group', [group], signal),
    enabled: isAdmin && group !== 0,
  })
  if (!isAdmin) return null
  return (
    <div className={group === 0 ? classes.filter : `${classes.filter} ${classes.on}`}>
      <LookupSelect
        ariaLabel={t(($) => $.access.shell.groupFilter)}
        placeholder={t(($) => $.access.shell.allGroups)}
        load={loadGroups}
        value={group === 0 ? null : (data?.[0] ?? { id: group, title: `#${group}` })}
        onChange={(option) => {
          setGroup(option === null ? 0 : Number(option.id))
          void queryClient.invalidateQueries()
        }}
      />
    </div>
  )
}

function Brand({ short = false }: { short?: boolean }) {
  const { t } = useTranslation()
  return (
    <Link to="/" preload={false} className={classes.brand ?? ''} aria-label={t(($) => $.product)}>
      <Logo className={classes.sign} />
      {short ? null : t(($) => $.product)}
    </Link>
  )
}

export function Frame() {
  const { t } = useTranslation()
  const areas = resolveNavigation(holderOf(useProfile()), currentWords())
  const [isShort] = useStoredValue(isMenuCollapsed)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const navigate = useNavigate()
  const openPalette = () => {
    if (isPaletteOpen) return
    startTypeAhead()
    void Palette.preload().then(() => setPaletteOpen(true), endTypeAhead)
  }
  const openShortcut = (shortcut: Shortcut) => {
    const path = pathOf(areas, shortcut)
    if (path !== undefined) void navigate({ to: path })
  }
  useShortcuts({ openPalette, openShortcut })
  useFreshProfile()
  return (
    <div className={isShort ? `${classes.frame} ${classes.collapsed}` : classes.frame}>
      <a href="#content" className={classes.skip}>
        {t(($) => $.frame.skip)}
      </a>
      <aside className={classes.side}>
        <Brand short={isShort} />
        <SideMenu areas={areas} isShort={isShort} />
        <CollapseToggle />
      </aside>
      <header className={classes.top}>
        <MenuDrawer areas={areas} />
        <button type="button" className={classes.search} onClick={openPalette}>
          <IconSearch size={15} aria-hidden />
          <span>{t(($) => $.frame.search)}</span>
          <kbd>Ctrl K</kbd>
        </button>
        <div className={classes.spacer} />
        <GroupFilter />
        <LanguageMenu onChosen={() => void queryClient.invalidateQueries()} />
        <ThemeMenu />
        <ProfileMenu />
      </header>
      <main id="content" tabIndex={-1} className={classes.main}>
        <ShellBanners />
        <Outlet />
      </main>
      <DefinitionTooltip />
      {isPaletteOpen ? <Palette areas={areas} isOpen onClose={() => setPaletteOpen(false)} /> : null}
    </div>
  )
}

/** Reloads the profile, and then the routes, when the user's permissions have changed. */
function useFreshProfile(): void {
  const router = useRouter()
  const reload = async () => {
    forgetCopies(localStore())
    await queryClient.invalidateQueries({ queryKey: profileQuery.queryKey })
    await router.invalidate()
  }
  const reloadAll = async () => {
    await reload()
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== profileQuery.queryKey[0] })
  }
  useLive(
    'permissions',
    () => void reloadAll(),
    () => void reload(),
  )
}

/** Undefined if the user may not open it. */
function pathOf(areas: readonly NavigationArea[], shortcut: Shortcut): string | undefined {
  if ('area' in shortcut) return areas.find(({ area }) => area === shortcut.area)?.items[0]?.path
  return areas.flatMap(({ items }) => items).find(({ path }) => path === shortcut.path)?.path
}

function CollapseToggle() {
  const { t } = useTranslation()
  const [isShort, setShort] = useStoredValue(isMenuCollapsed)
  const label = isShort ? t(($) => $.frame.expand) : t(($) => $.frame.collapse)
  const Icon = isShort ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <div className={side.foot}>
      <Tooltip label={label} position="right" disabled={!isShort}>
        <button type="button" className={side.toggle} aria-label={label} onClick={() => setShort(!isShort)}>
          <Icon size={18} stroke={1.7} aria-hidden />
          {isShort ? null : label}
        </button>
      </Tooltip>
    </div>
  )
}

/** Shows the menu as a drawer where the screen is too narrow for a permanent one. */
function MenuDrawer({ areas }: { areas: readonly NavigationArea[] }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActionIcon
        className={classes.burger}
        size={36}
        aria-label={t(($) => $.frame.openMenu)}
        onClick={() => setOpen(true)}
      >
        <IconMenu2 size={20} />
      </ActionIcon>
      <Drawer
        opened={isOpen}
        onClose={() => setOpen(false)}
        size={280}
        title={t(($) => $.product)}
        closeButtonProps={{ 'aria-label': t(($) => $.frame.closeMenu) }}
        styles={{ body: { padding: 0 } }}
      >
        <SideMenu areas={areas} onOpen={() => setOpen(false)} />
      </Drawer>
    </>
  )
}
