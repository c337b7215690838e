// The user's choices of look on this device. Mantine stores the colour scheme.
import { createStoredValue } from './stored-value.ts'

export const DENSITIES = ['compact', 'comfortable'] as const
export type Density = (typeof DENSITIES)[number]

const isDensity = (value: unknown): value is Density => (DENSITIES as readonly unknown[]).includes(value)
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isId = (value: unknown): value is number => Number.isSafeInteger(value)

export const density = createStoredValue<Density>('density', 'compact', isDensity)
/** Whether what is missing stands beside the spend table. */
export const spendAside = createStoredValue('spend_aside', true, isBoolean)
export const isMenuCollapsed = createStoredValue('menu_collapsed', false, isBoolean)
/** The admin's partner-group filter: 0 is all data. It is sent with every call. */
export const groupFilter = createStoredValue('group_filter', 0, isId)
