// Says that the month is closed: by whom, when, and that an adjustment is the way round.

import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { SpendTable } from '@tributary/contract/calls/spend-table'
import { adjustment } from '@tributary/contract/entities/adjustment'
import { formatMonth } from '@tributary/contract/period'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../data/profile.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import { businessZone } from '../../state/profile-facts.ts'
import classes from './spend-panels.module.css'

export function ClosedBanner({
  month,
  closed: { at, by },
}: {
  month: string
  closed: NonNullable<SpendTable['closed']>
}) {
  const { t } = useTranslation()
  const can = useCan()
  return (
    <p className={classes.closed} role="status">
      <IconLock size={15} aria-hidden />
      <span>
        {t(($) => $.spends.table.closed, {
          month: formatMonth(`${month}-01`, currentLanguage()),
          who: by,
          at: formatDateTime(at, businessZone()) ?? '',
        })}{' '}
        {can(adjustment.access.create) ? (
          <Link to={adjustment.route} className={classes.link}>
            {t(($) => $.spends.table.adjust)}
          </Link>
        ) : null}
      </span>
    </p>
  )
}
