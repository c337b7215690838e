// The list of a menu, hung on to a button that is there already.
import { Menu, type MenuProps } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import type { ReactNode, RefObject } from 'react'
import { Hook } from './hook.tsx'

interface DropMenuListProps extends Pick<MenuProps, 'position' | 'width'> {
  id: string
  anchor: RefObject<HTMLElement | null>
  isOpen: boolean
  onChange: (isOpen: boolean) => void
  className?: string | undefined
  children: (parts: typeof Menu) => ReactNode
}

export function DropMenuList({ anchor, isOpen, onChange, className, children, ...menu }: DropMenuListProps) {
  // Opened a moment after it is there: only then does it know where the keyboard was, and give it back.
  const isThere = useMounted()
  return (
    <Menu {...menu} opened={isOpen && isThere} onChange={onChange}>
      <Menu.Target>
        <Hook at={anchor} />
      </Menu.Target>
      <Menu.Dropdown className={className} maw="calc(100vw - 16px)">
        {children(Menu)}
      </Menu.Dropdown>
    </Menu>
  )
}
