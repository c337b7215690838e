// A word about an element, shown while it is pointed at (and, where that is said, focused). What draws it is downloaded with the first one.
import {
  cloneElement,
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { loadPart } from '../lib/lazy-part.ts'
import type { AnchorProps } from './anchor.ts'

const Bubble = lazy(() =>
  loadPart('hints', () => import('./hint-bubble.tsx')).then((part) => ({ default: part.HintBubble })),
)

interface HintProps {
  label: ReactNode
  /** Takes a ref and handlers: an element, or a component that hands them on to one. */
  children: ReactElement<AnchorProps>
  position?: 'top' | 'right'
  disabled?: boolean
  delayMs?: number
  /** Also shown when the element is reached by keyboard. */
  onFocus?: boolean
  maw?: number
}

const DELAY_MS = 350

export function Hint({ label, children, disabled = false, delayMs = DELAY_MS, onFocus = false, ...look }: HintProps) {
  const target = useRef<HTMLElement>(null)
  const id = useId()
  const [state, setState] = useState<'never' | 'shown' | 'hidden'>('never')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isShown = state === 'shown' && !disabled
  const show = () => setState('shown')
  const hide = () => {
    clearTimeout(timer.current)
    setState((old) => (old === 'never' ? old : 'hidden'))
  }
  // Follows the page: an element that is gone is no longer pointed at.
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <>
      {cloneElement(children, {
        ref: target,
        'aria-describedby': isShown ? id : undefined,
        onPointerEnter: ({ pointerType }) => {
          if (disabled || pointerType === 'touch') return
          clearTimeout(timer.current)
          timer.current = setTimeout(show, delayMs)
        },
        onPointerLeave: hide,
        ...(onFocus && {
          onFocus: ({ currentTarget }) => {
            if (!disabled && currentTarget.matches(':focus-visible')) show()
          },
          onBlur: hide,
        }),
      })}
      {state === 'never' ? null : (
        <Suspense fallback={null}>
          <Bubble {...look} id={id} target={target} label={label} isShown={isShown} onClose={hide} />
        </Suspense>
      )}
    </>
  )
}
