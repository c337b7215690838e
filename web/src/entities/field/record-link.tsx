// The way from what is told of a record to the record itself, for those who may open it.
import { Link } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import { entityOf } from './field-at.ts'
import classes from './row-view.module.css'

export function RecordLink({ name, path }: { name: EntityName; path: string }) {
  const { t } = useTranslation()
  const can = useCan()
  if (!can(entityOf(name).access.view)) return null
  return (
    <Link to={path} className={classes.link ?? ''}>
      {t(($) => $.history.openRecord)}
    </Link>
  )
}
