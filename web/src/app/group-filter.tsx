// The admin's filter over everything: one partner group, whose data alone is then shown on every screen. Kept in this browser.
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { fetchOptions, lookupOf } from '../data/lookup.ts'
import { useProfile } from '../data/profile.ts'
import { keys, queryClient } from '../data/query-client.ts'
import { groupFilter } from '../state/preferences.ts'
import { useStoredValue } from '../state/stored-value.ts'
import { LookupSelect } from '../ui/lookup/lookup-select.tsx'
import classes from './group-filter.module.css'

const loadGroups = lookupOf('partner_group')

export function GroupFilter() {
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
