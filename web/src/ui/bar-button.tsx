// A button of a bar: its icon beside its words, or where the bar has no room for them the icon alone.
import { Button } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ComponentPropsWithoutRef } from 'react'
import { IconButton } from './icon-button.tsx'

interface BarButtonProps extends Omit<ComponentPropsWithoutRef<'button'>, 'children' | 'color' | 'disabled' | 'style'> {
  label: string
  icon: TablerIcon
  /** Shows the icon alone; the words are its tooltip. */
  isSmall: boolean
  variant?: 'default' | 'light'
}

/** A menu or a popover around the button passes further props. */
export function BarButton({ label, icon: Icon, isSmall, variant = 'default', ...rest }: BarButtonProps) {
  if (isSmall) return <IconButton label={label} icon={Icon} size={30} variant={variant} {...rest} />
  return (
    <Button variant={variant} leftSection={<Icon size={15} aria-hidden />} {...rest}>
      {label}
    </Button>
  )
}
