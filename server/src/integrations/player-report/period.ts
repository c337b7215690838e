// Finds the day of a report whose rows have none: in a line above the heading, or in the file's name.

import type { SheetRow } from '../../lib/sheet/sheet.ts'
import { daysIn, type Moments } from './moments.ts'

const WORDS = /period|date|day|период|дата|день|за\s/i

/** The one day that the file is about; undefined when it names none, or several. */
export function findDay(above: readonly SheetRow[], fileName: string, moments: Moments): string | undefined {
  const told = above.flatMap((row) => daysOfRow(row, moments))
  const days = new Set(told.length > 0 ? told : daysIn(fileName.replaceAll('_', ' ')))
  return days.size === 1 ? [...days][0] : undefined
}

function daysOfRow({ cells, isNumber }: SheetRow, moments: Moments): string[] {
  const isAbout = cells.some((text, index) => isNumber[index] !== true && WORDS.test(text))
  if (!isAbout) return []
  return cells.flatMap((text, index) => (isNumber[index] === true ? (moments.day(text, true) ?? []) : daysIn(text)))
}
