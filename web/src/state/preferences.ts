// The user's choices of look on this device. Mantine stores the colour scheme.
import { createStoredValue } from './stored-value.ts'

export const DENSITIES = ['compact', 'comfortable'] as const
export type Density = (typeof DENSITIES)[number]

const isDensity = (value: unknown): value is Density => (DENSITIES as readonly unknown[]).includes(value)
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isId = (value: unknown): value is number => Number.isSafeInteger(value)

interface QueueRoom {
  readonly rows: number
  readonly hasFoot: boolean
}
const isQueueRoom = (value: unknown): value is QueueRoom =>
  typeof value === 'object' &&
  value !== null &&
  'rows' in value &&
  Number.isSafeInteger(value.rows) &&
  'hasFoot' in value &&
  isBoolean(value.hasFoot)

export const density = createStoredValue<Density>('density', 'compact', isDensity)
/** Whether what is missing stands beside the spend table. */
export const spendAside = createStoredValue('spend_aside', true, isBoolean)
/** The room of the dashboard's queue of alerts at the last visit. */
export const queueRoom = createStoredValue('queue_room', { rows: 5, hasFoot: true }, isQueueRoom)
/** Whether the queue shows all kinds of alerts, or the most urgent ones. */
export const isQueueLong = createStoredValue('queue_long', false, isBoolean)
export const isMenuCollapsed = createStoredValue('menu_collapsed', false, isBoolean)
/** The admin's partner-group filter: 0 is all data. It is sent with every call. */
export const groupFilter = createStoredValue('group_filter', 0, isId)
