// Facts of the profile that code outside of components needs: what the signed-in user may do, and the business time zone, in which days and
// moments are shown instead of the browser's. Both are known when the profile has been loaded.

import type { AccessHolder } from '@tributary/contract/access'
import { DEFAULT_ZONE, today } from '@tributary/contract/period'

let holder: AccessHolder | undefined

export const currentHolder = (): AccessHolder | undefined => holder

/** Stores the role and permissions of the signed-in user, for decisions outside of components. */
export function setHolder(next: AccessHolder): void {
  holder = next
}

let zone = DEFAULT_ZONE

export const businessZone = (): string => zone

export function setBusinessZone(name: string): void {
  zone = name
}

/** The current business day. */
export const businessToday = (): string => today(zone)
