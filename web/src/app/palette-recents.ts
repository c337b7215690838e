// What a person opened from the palette lately, on this device. The list belongs to one user: another one starts with an empty list.
import { createStoredValue } from '../state/stored-value.ts'
import type { PaletteItem } from './palette-items.ts'

interface Recents {
  readonly user: number
  readonly items: readonly PaletteItem[]
}

const isItem = (value: unknown): value is PaletteItem =>
  typeof value === 'object' &&
  value !== null &&
  ['key', 'path', 'label', 'detail', 'kind'].every(
    (name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'string',
  )

const isRecents = (value: unknown): value is Recents =>
  typeof value === 'object' &&
  value !== null &&
  'user' in value &&
  typeof value.user === 'number' &&
  'items' in value &&
  Array.isArray(value.items) &&
  value.items.every(isItem)

export const recentItems = createStoredValue<Recents>('palette_recents', { user: 0, items: [] }, isRecents)
