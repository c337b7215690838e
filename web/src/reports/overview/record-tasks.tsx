// What is left to do about a record: its approval, and the alerts that concern it.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { alertKind } from '@tributary/contract/alerts'
import { type AlertList, alertList } from '@tributary/contract/calls/alert'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { entityOf } from '../../entities/field/field-at.ts'
import { isEverAllowed } from '../../entities/field/requirement.ts'
import { editPath } from '../../entities/field/row-link.ts'
import type { Row } from '../../entities/list/list-query.ts'
import { AddressLink } from '../../ui/address-link.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { FailedState } from '../../ui/states.tsx'
import classes from './overview.module.css'

export function RecordTasks({ name, record }: { name: EntityName; record: Row }) {
  const { t } = useTranslation()
  const can = useCan()
  const { edit } = entityOf(name).access
  const mayRead = can(alertList.access)
  const isWaiting = record.state === 'unapproved' && isEverAllowed(edit) && can(edit)
  const alerts = useQuery({
    queryKey: ['alerts', name, record.id],
    queryFn: ({ signal }) => http.get<AlertList>('alert', { query: { entity: name, id: String(record.id) }, signal }),
    enabled: mayRead,
  })
  const items = alerts.data?.items ?? []
  const isDone = !isWaiting && items.length === 0 && !alerts.isError && !(mayRead && alerts.isPending)
  return (
    <section className={classes.card} aria-label={t(($) => $.overview.tasks)}>
      <h2 className={classes.cardTitle}>{t(($) => $.overview.tasks)}</h2>
      {alerts.isError ? <FailedState error={alerts.error} onRetry={() => void alerts.refetch()} /> : null}
      {isDone ? <p className={classes.quiet}>{t(($) => $.overview.noTasks)}</p> : null}
      <ul className={classes.rows}>
        {isWaiting ? (
          <li className={classes.task}>
            <StateBadge tone="warning">{t(($) => $.overview.unapproved)}</StateBadge>
            <Link to={editPath(name, record.id) ?? ''} className={classes.link ?? ''}>
              {t(($) => $.overview.approve)}
            </Link>
          </li>
        ) : null}
        {items.map(({ alert, subject, title, message, address }) => (
          <li key={`${alert} ${subject}`} className={classes.task}>
            <StateBadge tone={alertKind(alert).tone}>{t(($) => $.alerts.kinds[alert])}</StateBadge>
            <AddressLink address={address} className={classes.link}>
              {title}
            </AddressLink>
            <span className={classes.quiet}>{message}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
