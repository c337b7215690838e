// A record that could not be loaded; one that does not exist leads back to its list.

import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { isOutOfSight } from '../../data/http-error.ts'
import { useLabels } from '../../i18n/labels.ts'
import { recordNumber } from '../../i18n/record-number.ts'
import { EmptyState, FailedState } from '../../ui/states.tsx'
import { entityOf } from '../field/field-at.ts'

interface RecordFailedProps {
  name: EntityName
  id: number
  error: unknown
  onRetry: () => void
}

export function RecordFailed({ name, id, error, onRetry }: RecordFailedProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const { route } = entityOf(name)
  if (!isOutOfSight(error) || route === null) return <FailedState error={error} onRetry={onRetry} />
  return (
    <EmptyState
      title={t(($) => $.forms.noRecord, { record: `${labels.one(name)} ${recordNumber(id)}` })}
      text={t(($) => $.forms.noRecordText)}
    >
      <Button component={Link} to={route} variant="default">
        {labels.title(name)}
      </Button>
    </EmptyState>
  )
}
