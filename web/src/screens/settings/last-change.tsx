// Who changed the settings last, when, and which.
import { useQuery } from '@tanstack/react-query'
import type { HistoryEntry } from '@tributary/contract/calls/audit-log'
import { SETTING_ID } from '@tributary/contract/entities/setting'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useProfile } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { useLabels } from '../../i18n/labels.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import classes from './last-change.module.css'

/** Changes of the product itself, such as noting a run, have no user and are left out. */
const ENTRIES = 50

export function LastChange() {
  const { t } = useTranslation()
  const labels = useLabels()
  const zone = useProfile().business_time_zone
  const { data } = useQuery({
    queryKey: [...keys.entity('setting'), 'last change'],
    queryFn: ({ signal }) =>
      http.get<{ items: HistoryEntry[] }>(`audit_log/history/setting/${SETTING_ID}`, {
        query: [['limit', String(ENTRIES)]],
        signal,
      }),
  })
  const last = data?.items.find(({ user, action }) => user !== null && action === 'update')
  if (last === undefined) return null
  return (
    <p className={classes.change}>
      {t(($) => $.settings.changedBy, {
        name: last.user?.title ?? '',
        at: formatDateTime(last.at, zone) ?? '',
        fields: last.changes.map(({ field }) => labels.field('setting', field)).join(', '),
      })}
    </p>
  )
}
