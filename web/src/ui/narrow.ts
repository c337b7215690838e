// The widths at which the layout changes. The same numbers stand in the media queries of the style sheets.
import { useMediaQuery } from '@mantine/hooks'

/** Lists are cards, and reports show one metric at a time. */
export const PHONE = '(width <= 640px)'
/** The menu and filters are drawers. */
export const TABLET = '(width <= 860px)'
/** Bars with many buttons show icons alone. */
const LAPTOP = '(width < 1600px)'
/** Targets are as large as a finger: see theme.css. */
const FINGER = '(pointer: coarse), (width <= 640px)'

export const isNow = (query: string): boolean => globalThis.matchMedia(query).matches

const useQuery = (query: string): boolean => useMediaQuery(query, isNow(query))

export const useIsPhone = (): boolean => useQuery(PHONE)
export const useIsTablet = (): boolean => useQuery(TABLET)
export const useIsLaptop = (): boolean => useQuery(LAPTOP)
export const useIsFinger = (): boolean => useQuery(FINGER)
