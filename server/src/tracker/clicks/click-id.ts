// UUIDv7 click ids: 48 bits of milliseconds, a 12-bit counter within the millisecond, 62 random bits. Ids of a process must always increase, even
// if the clock steps back, because the click loader relies on it.

import { randomFillSync } from 'node:crypto'

export interface ClickIds {
  /** `now` is in milliseconds since 1970. */
  next(now: number): ClickId
}

export interface ClickId {
  readonly id: string
  /** The time in the id, in milliseconds since 1970. */
  readonly time: number
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const POOL_BYTES = 8192
const MAX_PER_MS = 0xfff

const hex = (byte: number): string => HEX[byte & 0xff] ?? ''

export function createClickIds(): ClickIds {
  const pool = Buffer.allocUnsafe(POOL_BYTES)
  let used = POOL_BYTES
  let last = 0
  let order = 0
  let head = ''

  function startMillisecond(time: number): void {
    last = time
    order = 0
    const text = time.toString(16).padStart(12, '0')
    head = `${text.slice(0, 8)}-${text.slice(8)}-7`
  }

  return {
    next(now) {
      if (now > last) startMillisecond(now)
      else if (order === MAX_PER_MS) startMillisecond(last + 1)
      else order++
      if (used === POOL_BYTES) {
        randomFillSync(pool)
        used = 0
      }
      const at = used
      used += 8
      const byte = (index: number): string => hex(pool[at + index] ?? 0)
      const variant = hex(((pool[at] ?? 0) & 0x3f) | 0x80)
      const id = `${head}${(order + 0x1000).toString(16).slice(1)}-${variant}${byte(1)}-${byte(2)}${byte(3)}${byte(4)}${byte(5)}${byte(6)}${byte(7)}`
      return { id, time: last }
    },
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => text.length === 36 && UUID.test(text)

/** The time of a UUIDv7 in milliseconds since 1970; undefined for any other text. */
export function timeOfClickId(id: string): number | undefined {
  return isUuid(id) && id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined
}
