// A button and the menu that it opens. The menu's machinery is downloaded when the first one is wanted.
import type { Menu, MenuProps } from '@mantine/core'
import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { loadPart } from '../lib/lazy-part.ts'
import { type AnchorProps, openerProps } from './anchor.ts'

const importList = () => import('./drop-menu-list.tsx')
const MenuList = lazy(() => loadPart('menus', importList).then((part) => ({ default: part.DropMenuList })))

interface DropMenuProps extends Pick<MenuProps, 'position' | 'width'> {
  /** The button: an element, or a component that hands a ref and handlers on to one. */
  target: ReactElement<AnchorProps>
  /** Of the list. */
  className?: string | undefined
  /** Draws the items with the parts of the menu, which are there once it is. */
  children: (parts: typeof Menu) => ReactNode
}

export function DropMenu({ target, ...menu }: DropMenuProps) {
  const anchor = useRef<HTMLElement>(null)
  const id = useId()
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  const isOpen = state === 'open'
  return (
    <>
      {cloneElement(target, {
        ...openerProps(id, 'menu', isOpen),
        ref: anchor,
        // On the way already while the pointer comes down.
        onPointerEnter: () => void importList().catch(() => undefined),
        onClick: () => setState(isOpen ? 'closed' : 'open'),
      })}
      {state === 'never' ? null : (
        <Suspense fallback={null}>
          <MenuList
            {...menu}
            id={id}
            anchor={anchor}
            isOpen={isOpen}
            onChange={(open) => setState(open ? 'open' : 'closed')}
          />
        </Suspense>
      )}
    </>
  )
}
