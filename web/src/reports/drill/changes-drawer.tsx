// The drawer of changes in a report since a moment.
import { Drawer } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '../../lib/date-format.ts'
import { lazyComponent } from '../../lib/lazy-component.tsx'
import { businessZone } from '../../state/profile-facts.ts'
import { Deferred } from '../../ui/deferred.tsx'
import { useLastValue } from '../../ui/use-last-value.ts'

const ChangeRows = lazyComponent('changes', async () => (await import('./change-rows.tsx')).ChangeRows)

interface ChangesDrawerProps {
  /** The path of the report below /api. */
  path: string
  filter: object
  /** Null: the drawer is closed. */
  since: string | null
  onClose: () => void
}

export function ChangesDrawer({ path, filter, since, onClose }: ChangesDrawerProps) {
  const { t } = useTranslation('reports')
  const moment = useLastValue(since)
  return (
    <Drawer
      opened={since !== null}
      onClose={onClose}
      position="right"
      size="min(860px, 100vw)"
      title={
        moment === null ? null : t(($) => $.known.since, { time: formatDateTime(moment, businessZone(), true) ?? '' })
      }
      closeButtonProps={{ 'aria-label': t(($) => $.known.closeChanges) }}
    >
      {moment === null ? null : (
        <Deferred>
          <ChangeRows path={path} filter={filter} since={moment} />
        </Deferred>
      )}
    </Drawer>
  )
}
