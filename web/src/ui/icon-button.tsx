// A button that shows an icon alone: its label is the tooltip and the accessible name.
import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ComponentPropsWithoutRef } from 'react'

interface IconButtonProps extends ActionIconProps, Omit<ComponentPropsWithoutRef<'button'>, keyof ActionIconProps> {
  label: string
  icon: TablerIcon
  iconSize?: number
}

export function IconButton({ label, icon: Icon, iconSize = 16, ...button }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} {...button}>
        <Icon size={iconSize} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
