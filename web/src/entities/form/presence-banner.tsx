// Shows who else is editing this row, since when, and whether a newer version was saved.
import { Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import type { EntityName } from '@tributary/contract/entities/registry'
import { EDITING_BEAT_SECONDS } from '@tributary/contract/limits'
import { dayOf } from '@tributary/contract/period'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useLive } from '../../data/live.ts'
import { formatClock, formatDateTime } from '../../lib/date-format.ts'
import { businessToday, businessZone } from '../../state/profile-facts.ts'
import classes from './presence-banner.module.css'
import type { EntityForm } from './use-entity-form.ts'

type Presence = AnswerOf<'editing_renew'>
type OtherEditor = Presence['others'][number]

const ALONE: Presence = { version: null, others: [] }

/** Browsers offer `randomUUID` in secure contexts only. */
function makeScreenId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, index) => {
    const fixed = index === 6 ? (byte & 15) | 64 : index === 8 ? (byte & 63) | 128 : byte
    return fixed.toString(16).padStart(2, '0')
  }).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/**
 * Reports that this form is open and loads other editors of the row: at intervals, and when a live event arrives. `version` is that of the
 * form; its change notifies other editors. A form that cannot save (`isOn` false) reports nothing.
 */
function usePresence(name: EntityName, id: number, version: unknown, isOn: boolean): Presence {
  const [screen, setScreen] = useState(makeScreenId)
  const reportedVersion = useRef(version)
  const path = `editing/${name}/${id}`
  const presence = useQuery({
    queryKey: ['editing', name, id, screen],
    queryFn: async ({ signal }) => {
      const hasSaved = reportedVersion.current !== version
      reportedVersion.current = version
      return http.put<Presence>(path, hasSaved ? { screen, hasSaved } : { screen }, { signal })
    },
    enabled: isOn,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: EDITING_BEAT_SECONDS * 1000,
    refetchIntervalInBackground: true,
  })
  const { refetch } = presence
  const ask = () => {
    if (isOn) void refetch()
  }
  useLive('editing', (payload) => (payload.entity === name && payload.id === id ? ask() : undefined), ask)
  // Reports a save of this form to the server at once.
  useEffect(() => {
    if (isOn && reportedVersion.current !== version) void refetch()
  }, [isOn, version, refetch])
  // Reports that the form was left, also when the window closes. Otherwise the server notices missing renewals.
  useEffect(() => {
    if (!isOn) return
    const leave = () => void http.delete(path, { query: { screen }, isParting: true }).catch(() => undefined)
    // A page restored from the browser's cache reports itself as a new screen, because `leave` ended the old one. The id changes only
    // then: changed earlier, the closing page would report the new screen as open.
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) setScreen(makeScreenId())
    }
    window.addEventListener('pagehide', leave)
    window.addEventListener('pageshow', comeBack)
    return () => {
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('pageshow', comeBack)
      leave()
    }
  }, [isOn, path, screen])
  return presence.data ?? ALONE
}

interface PresenceBannerProps {
  name: EntityName
  entity: EntityForm
  isLocked: boolean
}

/** Says who else edits the row, and offers a newer version of it. Absent for a new row. */
export function PresenceBanner({ name, entity, isLocked }: PresenceBannerProps) {
  const id = entity.row?.id
  return typeof id === 'number' ? <Banner name={name} entity={entity} id={id} isLocked={isLocked} /> : null
}

function Banner({ name, entity, id, isLocked }: PresenceBannerProps & { id: number }) {
  const { t } = useTranslation()
  const read = entity.row?.version
  const { version, others } = usePresence(name, id, read, !isLocked)
  const isOld = version !== null && typeof read === 'number' && version > read
  return (
    <div role="status" className={classes.place}>
      {others.length === 0 && !isOld ? null : (
        <div className={classes.banner}>
          <IconUsers size={18} aria-hidden className={classes.icon} />
          <div className={classes.words}>
            {others.length === 0 ? null : (
              <>
                <strong>{t(($) => $.forms.inWork)}</strong>
                <ul className={classes.people}>
                  {others.map((other) => (
                    <Person key={other.screen} other={other} />
                  ))}
                </ul>
                <span>{t(($) => $.forms.wouldOverwrite)}</span>
              </>
            )}
            {isOld ? <span>{t(($) => $.forms.savedMeanwhile)}</span> : null}
          </div>
          {isOld ? (
            <Button size="xs" variant="default" onClick={() => void entity.loadNewer()}>
              {entity.form.formState.isDirty ? t(($) => $.forms.seeChanges) : t(($) => $.forms.loadNewer)}
            </Button>
          ) : null}
        </div>
      )}
    </div>
  )
}

function Person({ other }: { other: OtherEditor }) {
  const { t } = useTranslation()
  const zone = businessZone()
  const isToday = dayOf(Date.parse(other.since), zone) === businessToday()
  const since = isToday ? formatClock(other.since, zone)?.slice(0, 5) : formatDateTime(other.since, zone)
  const who = other.is_me ? t(($) => $.forms.meElsewhere) : other.full_name
  return <li>{t(($) => $.forms.since, { who, since: since ?? '' })}</li>
}
