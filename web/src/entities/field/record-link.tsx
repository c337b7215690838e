// A link from a log entry to its record.
import type { EntityName } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import { AddressLink } from '../../ui/address-link.tsx'
import { entityOf } from './field-at.ts'
import classes from './row-view.module.css'

export function RecordLink({ name, path }: { name: EntityName; path: string }) {
  const { t } = useTranslation()
  const can = useCan()
  if (!can(entityOf(name).access.view)) return null
  return (
    <AddressLink address={path} className={classes.link}>
      {t(($) => $.history.openRecord)}
    </AddressLink>
  )
}
