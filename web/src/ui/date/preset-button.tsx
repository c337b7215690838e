// A named period in the panel of a picker.
import { Button } from '@mantine/core'

interface PresetButtonProps {
  name: string
  /** The picker holds this period. */
  isCurrent: boolean
  onClick: () => void
}

export function PresetButton({ name, isCurrent, onClick }: PresetButtonProps) {
  return (
    <Button
      variant={isCurrent ? 'light' : 'subtle'}
      color={isCurrent ? 'river' : 'gray'}
      justify="flex-start"
      fw={isCurrent ? 550 : 400}
      size="compact-sm"
      aria-pressed={isCurrent}
      onClick={onClick}
    >
      {name}
    </Button>
  )
}
