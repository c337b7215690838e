// The menu by areas. When it is collapsed it shows icons with tooltips.
import { Tooltip } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { NavigationArea, NavigationItem } from './navigation.ts'
import classes from './side-menu.module.css'

interface SideMenuProps {
  areas: readonly NavigationArea[]
  isShort?: boolean
  onOpen?: () => void
}

export function SideMenu({ areas, isShort = false, onOpen }: SideMenuProps) {
  const { t } = useTranslation()
  return (
    <nav className={classes.menu} aria-label={t(($) => $.frame.navigation)}>
      {areas.map(({ area, label, items }, index) => (
        <div key={area}>
          {isShort ? index > 0 && <div className={classes.line} /> : <div className={classes.area}>{label}</div>}
          <ul className={classes.list} aria-label={label}>
            {items.map((item) => (
              <MenuItem key={item.path} item={item} isShort={isShort} onOpen={onOpen} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function MenuItem({
  item,
  isShort,
  onOpen,
}: {
  item: NavigationItem
  isShort: boolean
  onOpen: (() => void) | undefined
}) {
  const { path, label, icon: Icon, views } = item
  const isCurrent = useRouterState({
    select: ({ location: { pathname } }) =>
      pathname === path || pathname.startsWith(`${path}/`) || views.some((view) => view.path === pathname),
  })
  const place = useRef<HTMLLIElement>(null)
  // Scrolls the current item into view.
  useEffect(() => {
    if (isCurrent) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <li ref={place}>
      <Tooltip label={label} position="right" disabled={!isShort} openDelay={100}>
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
      </Tooltip>
    </li>
  )
}
