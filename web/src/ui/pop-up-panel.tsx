// A panel, hung on to an element that is there already; the keyboard stays inside while it is open.
import { Popover, type PopoverProps } from '@mantine/core'
import type { ReactNode, RefObject } from 'react'
import { Hook } from './hook.tsx'
import { useLateOpening } from './use-late-opening.ts'

interface PopUpPanelProps extends Pick<PopoverProps, 'position'> {
  id: string
  anchor: RefObject<HTMLElement | null>
  isOpen: boolean
  onChange: (isOpen: boolean) => void
  isPlain: boolean
  className?: string | undefined
  padding?: number
  children: ReactNode
}

export function PopUpPanel({ anchor, isOpen, isPlain, className, padding, children, ...popover }: PopUpPanelProps) {
  const isOpened = useLateOpening(isOpen)
  return (
    <Popover {...popover} opened={isOpened} shadow="md" trapFocus returnFocus withRoles={!isPlain}>
      <Popover.Target>
        <Hook at={anchor} />
      </Popover.Target>
      <Popover.Dropdown className={className} {...(padding !== undefined && { p: padding })}>
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}
