// Whether what a cell says may be wider than its column. Told from the text alone, before anything is drawn: rather once too often,
// since a cell that is said to have room is not cut off.
import type { Labels } from '../../i18n/labels.ts'
import type { Column } from '../field/columns.ts'
import { plainText } from '../field/plain-text.ts'

/** Left and right of the words, and around the words of a badge. */
const PADDING = 24
const BADGE = 28
const NARROW = 5
const COMMON = 9
const WIDE = 13
const WIDEST = 20
const FIRST_WIDEST = 0x1100

/** Pixels that a sign may take in the larger size of cells. */
function signRoom(code: number): number {
  if (code >= FIRST_WIDEST) return WIDEST
  if (code > 126) return WIDE
  const sign = String.fromCharCode(code)
  if (" .,:;'|!ijl".includes(sign)) return NARROW
  return /[A-Zmw@%&]/.test(sign) ? WIDE : COMMON
}

const ROOMS = Array.from({ length: 128 }, (_, code) => signRoom(code))

function textRoom(text: string): number {
  let room = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    room += ROOMS[code] ?? signRoom(code)
  }
  return room
}

const DAY = textRoom('00.00.0000')
const MINUTE = textRoom('00.00.0000 00:00')
const SECOND = textRoom('00.00.0000 00:00:00')

function roomOf({ entity, name, field }: Column, labels: Labels, value: unknown): number {
  if (value === null || value === undefined) return 0
  if (field.kind === 'boolean') return BADGE + textRoom(labels.value('inactive'))
  if (field.kind === 'choice') return BADGE + textRoom(labels.choice(entity, name, plainText(value)))
  if (field.kind === 'date') return DAY
  if (field.kind === 'datetime') return name === 'created_at' ? SECOND : MINUTE
  return textRoom(plainText(value))
}

/** `text` is what the cell says, where it says nothing but text. */
export const mayBeCut = (column: Column, labels: Labels, value: unknown, text: string | null): boolean =>
  (text === null ? roomOf(column, labels, value) : textRoom(text)) > column.width - PADDING
