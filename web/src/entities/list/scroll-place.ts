// How far lists were scrolled, by address.
import { useRouterState } from '@tanstack/react-router'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { PANEL_PARAM } from '../field/row-link.ts'

/** The address of a list without the panel of a row. */
function placeOf(href: string): string {
  const [path = '', query = ''] = href.split('?')
  const params = new URLSearchParams(query)
  params.delete(PANEL_PARAM)
  return `${path}?${params.toString()}`
}

/** How far lists were scrolled, by address, until the page is reloaded. */
const places = new Map<string, number>()

/** Restores how far the list of an address was scrolled. Opening the panel of a row changes no address. */
export function useScrollPlace(frame: RefObject<HTMLElement | null>): void {
  const address = useRouterState({ select: ({ location }) => placeOf(location.href) })
  const restore = useEffectEvent(() => {
    const place = places.get(address)
    if (frame.current !== null && place !== undefined) frame.current.scrollTop = place
  })
  const keep = useEffectEvent(() => {
    if (frame.current !== null) places.set(address, frame.current.scrollTop)
  })
  useLayoutEffect(() => restore(), [])
  // Follows the scrolling of the box.
  useEffect(() => {
    const box = frame.current
    const onScroll = () => keep()
    box?.addEventListener('scroll', onScroll, { passive: true })
    return () => box?.removeEventListener('scroll', onScroll)
  }, [frame])
}
