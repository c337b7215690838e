// The time zone in which days and moments are shown: the installation's business zone, not the browser's. Known when the profile has come,
// before the first screen that shows a day.

import type { AccessHolder } from '@tributary/contract/access'
import { dayIn } from '../lib/date-format.ts'

// What the person who is signed in holds, for what is decided outside of components. Known when the profile has come.
let holder: AccessHolder | undefined

export const currentHolder = (): AccessHolder | undefined => holder

export function setHolder(next: AccessHolder): void {
  holder = next
}

let zone = 'Europe/Kyiv'

export const businessZone = (): string => zone

export function setBusinessZone(name: string): void {
  zone = name
}

/** The day that it is now for the business. */
export const businessToday = (): string => dayIn(zone)
