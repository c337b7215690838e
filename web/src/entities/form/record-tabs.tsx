// The two pages of a record that has an overview: the overview and its form.
import { Link } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import { entityOf } from '../field/field-at.ts'
import { isEverAllowed } from '../field/requirement.ts'
import { editPath, recordPath } from '../field/row-link.ts'
import classes from './record-tabs.module.css'

interface RecordTabsProps {
  name: EntityName
  id: number | string
  current: 'overview' | 'edit'
}

export function RecordTabs({ name, id, current }: RecordTabsProps) {
  const { t } = useTranslation()
  const can = useCan()
  const { hasOverview, access } = entityOf(name)
  if (hasOverview !== true) return null
  const isEditor = isEverAllowed(access.edit) && can(access.edit)
  const tabs = [
    { tab: 'overview', path: recordPath(name, id), label: t(($) => $.overview.tab) },
    { tab: 'edit', path: editPath(name, id), label: t(($) => (isEditor ? $.actions.edit : $.overview.details)) },
  ] as const
  return (
    <nav className={classes.tabs} aria-label={t(($) => $.overview.tabs)}>
      {tabs.map(({ tab, path, label }) => (
        <Link
          key={tab}
          to={path ?? ''}
          className={classes.tab ?? ''}
          // The overview's path begins that of the form: only the current page is marked.
          activeOptions={{ exact: true }}
          {...(tab === current && { 'aria-current': 'page' as const })}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
