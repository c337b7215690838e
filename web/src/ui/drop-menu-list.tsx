// The list of a menu, hung on to a button that is there already.
import { Menu, type MenuProps } from '@mantine/core'
import type { ReactNode, RefObject } from 'react'
import { Hook } from './hook.tsx'
import { useLateOpening } from './use-late-opening.ts'

interface DropMenuListProps extends Pick<MenuProps, 'position' | 'width'> {
  id: string
  anchor: RefObject<HTMLElement | null>
  isOpen: boolean
  onChange: (isOpen: boolean) => void
  className?: string | undefined
  children: (parts: typeof Menu) => ReactNode
}

export function DropMenuList({ anchor, isOpen, onChange, className, children, ...menu }: DropMenuListProps) {
  const isOpened = useLateOpening(isOpen)
  return (
    <Menu {...menu} opened={isOpened} onChange={onChange}>
      <Menu.Target>
        <Hook at={anchor} />
      </Menu.Target>
      <Menu.Dropdown className={className} maw="calc(100vw - 16px)">
        {children(Menu)}
      </Menu.Dropdown>
    </Menu>
  )
}
