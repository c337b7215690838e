// An element and the panel that hangs on it. The panel's machinery is downloaded when the first one is opened.
import type { PopoverProps } from '@mantine/core'
import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { loadPart } from '../lib/lazy-part.ts'
import { type AnchorProps, openerProps } from './anchor.ts'

const importPanel = () => import('./pop-up-panel.tsx')
const Panel = lazy(() => loadPart('panels', importPanel).then((part) => ({ default: part.PopUpPanel })))

interface PopUpProps extends Pick<PopoverProps, 'position'> {
  /** What it hangs on, which opens it: an element, or a component that hands a ref and handlers on to one. */
  target: ReactElement<AnchorProps>
  isOpen: boolean
  onChange: (isOpen: boolean) => void
  /** The target is more than the button of this panel. */
  isPlain?: boolean
  /** Of the panel. */
  className?: string | undefined
  padding?: number
  children: ReactNode
}

export function PopUp({ target, isOpen, isPlain = false, ...panel }: PopUpProps) {
  const anchor = useRef<HTMLElement>(null)
  const id = useId()
  const [wasOpened, setOpened] = useState(isOpen)
  if (isOpen && !wasOpened) setOpened(true)
  return (
    <>
      {cloneElement(target, {
        ...(isPlain ? {} : openerProps(id, 'dialog', isOpen)),
        ref: anchor,
        // On the way already while the pointer comes down.
        onPointerEnter: () => void importPanel().catch(() => undefined),
      })}
      {wasOpened ? (
        <Suspense fallback={null}>
          <Panel {...panel} id={id} anchor={anchor} isOpen={isOpen} isPlain={isPlain} />
        </Suspense>
      ) : null}
    </>
  )
}
