// Parts that are rendered right after the frame around them is painted, so that the click that opens them is answered at once.
import { type ReactNode, useDeferredValue } from 'react'

/** False when the component first renders, and true right after that was painted. */
export const useIsPainted = (): boolean => useDeferredValue(true, false)

export const Deferred = ({ children }: { children: ReactNode }) => (useIsPainted() ? children : null)
