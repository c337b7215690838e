// The time zone in which days and moments are shown: the installation's business zone, not the browser's.
import { dayIn } from '../lib/date-format.ts'

export const BUSINESS_ZONE = 'Europe/Kyiv'

/** The day that it is now for the business. */
export const businessToday = (): string => dayIn(BUSINESS_ZONE)
