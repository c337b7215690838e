// Filters on a narrow screen: a drawer that Escape, a touch outside of it and Back close. It never stays over another screen.
import { Drawer } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface FilterDrawerProps {
  isOpen: boolean
  onClose: () => void
  title: string
  closeLabel: string
  children: ReactNode
}

export function FilterDrawer({ isOpen, onClose, title, closeLabel, children }: FilterDrawerProps) {
  useBlocker({
    disabled: !isOpen,
    enableBeforeUnload: false,
    // Back closes the drawer and stays; a filter changes the address of the same screen.
    shouldBlockFn: ({ action, current, next }) => {
      const isLink = action === 'PUSH' || action === 'REPLACE'
      if (!isLink || current.pathname !== next.pathname) onClose()
      return !isLink
    },
  })
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      size="min(340px, 86vw)"
      title={title}
      closeButtonProps={{ 'aria-label': closeLabel }}
    >
      {children}
    </Drawer>
  )
}
