// A button that creates a row of another entity with a reference to this row.
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useCan } from '../../data/profile.ts'
import { useLabels } from '../../i18n/labels.ts'
import { entityOf } from '../field/field-at.ts'
import { isEverAllowed } from '../field/requirement.ts'

interface NewRowButtonProps {
  name: EntityName
  /** References of the new row, by field. */
  given: Readonly<Record<string, number>>
}

/** Opens the form of a new row. Absent if the user may not create one. */
export function NewRowButton({ name, given }: NewRowButtonProps) {
  const labels = useLabels()
  const can = useCan()
  const navigate = useNavigate()
  const { route, access } = entityOf(name)
  if (route === null || !isEverAllowed(access.create) || !can(access.create)) return null
  return (
    <Button
      variant="default"
      leftSection={<IconPlus size={15} aria-hidden />}
      onClick={() => void navigate({ to: `${route}/create`, search: given })}
    >
      {labels.create(name)}
    </Button>
  )
}
