// 'In work': who else is changing this record and since when, and that somebody has saved it meanwhile. Saving would meet what they do.
import { Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { dayIn, formatClock, formatDateTime } from '../../lib/date-format.ts'
import { businessToday, businessZone } from '../../state/business-zone.ts'
import classes from './presence-banner.module.css'
import type { EntityForm } from './use-entity-form.ts'
import { type OtherEditor, usePresence } from './use-presence.ts'

interface PresenceBannerProps {
  name: EntityName
  entity: EntityForm
  isLocked: boolean
}

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
            <Button size="xs" variant="default" onClick={() => void entity.meetNewer()}>
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
  const isToday = dayIn(zone, Date.parse(other.since)) === businessToday()
  const since = isToday ? formatClock(other.since, zone)?.slice(0, 5) : formatDateTime(other.since, zone)
  const who = other.is_me ? t(($) => $.forms.meElsewhere) : other.full_name
  return <li>{t(($) => $.forms.since, { who, since: since ?? '' })}</li>
}
