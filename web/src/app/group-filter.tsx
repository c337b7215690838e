// The admin's filter over everything: one partner group, whose data alone is then shown on every screen. Kept in this browser.
import { InputBase } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchOptions, lookupOf } from '../data/lookup.ts'
import { useProfile } from '../data/profile.ts'
import { keys, queryClient } from '../data/query-client.ts'
import { loadPart } from '../lib/lazy-part.ts'
import { groupFilter } from '../state/preferences.ts'
import { useStoredValue } from '../state/stored-value.ts'
import classes from './group-filter.module.css'

const LookupSelect = lazy(() =>
  loadPart('choices', () => import('../ui/lookup-select.tsx')).then((part) => ({ default: part.LookupSelect })),
)

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
  const [isWanted, setWanted] = useState(false)
  if (!isAdmin) return null
  const label = t(($) => $.access.shell.groupFilter)
  const all = t(($) => $.access.shell.allGroups)
  // Looks like the select until someone wants to choose, which most never do.
  const face = (
    <InputBase
      size="sm"
      aria-label={label}
      placeholder={all}
      readOnly
      rightSection={<IconSelector size={15} aria-hidden />}
      onFocus={() => setWanted(true)}
    />
  )
  if (group === 0 && !isWanted) return <div className={classes.filter}>{face}</div>
  return (
    <div className={group === 0 ? classes.filter : `${classes.filter} ${classes.on}`}>
      <Suspense fallback={face}>
        <LookupSelect
          ariaLabel={label}
          placeholder={all}
          load={loadGroups}
          startsFocused={isWanted}
          value={group === 0 ? null : (data?.[0] ?? { id: group, title: `#${group}` })}
          onChange={(option) => {
            setGroup(option === null ? 0 : Number(option.id))
            void queryClient.invalidateQueries()
          }}
        />
      </Suspense>
    </div>
  )
}
