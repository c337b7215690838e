// What an element takes on to which something is hung: a hint, a menu, a panel.
import type { FocusEvent, MouseEvent, PointerEvent, Ref } from 'react'

export interface AnchorProps {
  ref?: Ref<HTMLElement> | undefined
  id?: string | undefined
  'aria-describedby'?: string | undefined
  'aria-haspopup'?: 'menu' | 'dialog' | undefined
  'aria-expanded'?: boolean | undefined
  'aria-controls'?: string | undefined
  onClick?: ((event: MouseEvent<HTMLElement>) => void) | undefined
  onPointerEnter?: ((event: PointerEvent<HTMLElement>) => void) | undefined
  onPointerLeave?: ((event: PointerEvent<HTMLElement>) => void) | undefined
  onFocus?: ((event: FocusEvent<HTMLElement>) => void) | undefined
  onBlur?: ((event: FocusEvent<HTMLElement>) => void) | undefined
}

/** What opens something says so; the names are those that Mantine gives to the two sides. */
export const openerProps = (id: string, popup: 'menu' | 'dialog', isOpen: boolean): AnchorProps => ({
  id,
  'aria-haspopup': popup,
  'aria-expanded': isOpen,
  'aria-controls': isOpen ? `${id}-dropdown` : undefined,
})
