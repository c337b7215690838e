// The profile menu: the user's name, table density, sign-out.
import { Menu } from '@mantine/core'
import { IconCheck, IconLogout, IconShieldLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../data/profile.ts'
import { logOut } from '../data/sign-in.ts'
import { roleTitle } from '../i18n/labels.ts'
import { DENSITIES, density } from '../state/preferences.ts'
import { useStoredValue } from '../state/stored-value.ts'
import frame from './frame.module.css'
import classes from './profile-menu.module.css'

function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/)
  return ((parts[0]?.[0] ?? '') + (parts.length > 1 ? (parts.at(-1)?.[0] ?? '') : '')).toUpperCase()
}

export function ProfileMenu() {
  const { t } = useTranslation()
  const profile = useProfile()
  const [chosen, choose] = useStoredValue(density)
  const initials = initialsOf(profile.full_name)
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <button
          type="button"
          className={frame.initials}
          // The accessible name must contain the visible initials, so that speech input finds the button.
          aria-label={`${t(($) => $.frame.profile)}: ${profile.full_name}, ${initials}`}
        >
          <span aria-hidden>{initials}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.person}>
          <div className={classes.name}>{profile.full_name}</div>
          <div className={classes.quiet}>{profile.email}</div>
          <div className={classes.quiet}>{roleTitle(profile.role.title)}</div>
        </div>
        <Menu.Divider />
        <Menu.Label>{t(($) => $.frame.density)}</Menu.Label>
        {DENSITIES.map((option) => (
          <Menu.Item
            key={option}
            closeMenuOnClick={false}
            rightSection={option === chosen ? <IconCheck size={15} aria-hidden /> : null}
            onClick={() => choose(option)}
          >
            {t(($) => $.frame.densities[option])}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<IconShieldLock size={16} stroke={1.7} aria-hidden />}>
          {t(($) => $.access.shell.account)}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.7} aria-hidden />} onClick={() => void logOut()}>
          {t(($) => $.frame.logout)}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
