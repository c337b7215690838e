// Months and days as people write them in titles of tabs, headings and cells.

import type { CellValue } from './grid.ts'

const LANGUAGES = ['en', 'ru', 'uk'] as const
const SHORTEST_NAME = 3
const two = (value: number): string => String(value).padStart(2, '0')

/** [name, number of the month], in lower case. */
const MONTH_NAMES: readonly (readonly [string, number])[] = LANGUAGES.flatMap((language) => {
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  return Array.from(
    { length: 12 },
    (_, index) => [format.format(Date.UTC(2026, index, 1)).toLowerCase(), index + 1] as const,
  )
})

function monthNamed(word: string): number | undefined {
  const name = word.toLowerCase().replace(/\.$/, '')
  if (name.length < SHORTEST_NAME) return undefined
  // 'Sept' is a beginning of 'September', 'нояб' of 'ноябрь'.
  return MONTH_NAMES.find(([full]) => full.startsWith(name))?.[1]
}

/** '2026-11' for '11.2026', '2026-11', 'November 2026' and 'Ноябрь 26'; undefined for other titles. */
export function monthOfTitle(title: string): string | undefined {
  const text = title.normalize('NFKC').trim()
  const monthFirst = /^(\d{1,2})\s*[./-]\s*(\d{4})$/.exec(text)
  const yearFirst = /^(\d{4})\s*[./-]\s*(\d{1,2})$/.exec(text)
  const named = /^(\p{L}+\.?)[\s,'’]+(\d{4}|\d{2})$/u.exec(text)
  const [year, month] =
    monthFirst !== null
      ? [monthFirst[2], Number(monthFirst[1])]
      : yearFirst !== null
        ? [yearFirst[1], Number(yearFirst[2])]
        : named !== null
          ? [named[2], monthNamed(named[1] ?? '')]
          : []
  if (year === undefined || month === undefined || month < 1 || month > 12) return undefined
  return `${year.length === 2 ? `20${year}` : year}-${two(month)}`
}

const DAY_MS = 86_400_000
const EPOCH = Date.UTC(1899, 11, 30)
/** Serial numbers of the years 1990 to 2200; anything else is no date. */
const [FIRST_SERIAL, LAST_SERIAL] = [32_874, 109_575]

const dayOfSerial = (serial: number): string | undefined =>
  serial >= FIRST_SERIAL && serial <= LAST_SERIAL
    ? new Date(EPOCH + Math.floor(serial) * DAY_MS).toISOString().slice(0, 10)
    : undefined

function realDay(year: number, month: number, day: number): string | undefined {
  const text = `${year}-${two(month)}-${two(day)}`
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined
}

/** Locales that write the month before the day. */
const MONTH_FIRST = /^(?:en[_-](?:US|PH)|en$)/i

/** True if the text names a day of `month` when day and month change places: '09/11/2026' in an American sheet. */
export function isSwappedInto(value: CellValue, month: string, locale: string): boolean {
  const slashed = typeof value === 'string' ? /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(value) : null
  if (slashed === null) return false
  const swapped = dayOfCell(`${slashed[2]}/${slashed[1]}/${slashed[3]}`, locale)
  return swapped?.startsWith(month) === true
}

/** The day that a cell of a ledger names. Text is read by the locale of the spreadsheet. */
export function dayOfCell(value: CellValue, locale: string): string | undefined {
  if (typeof value === 'number') return dayOfSerial(value)
  if (typeof value === 'boolean') return undefined
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(value)
  if (iso !== null) return realDay(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(value)
  if (dotted !== null) return realDay(Number(dotted[3]), Number(dotted[2]), Number(dotted[1]))
  const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(value)
  if (slashed === null) return undefined
  const [first, second, year] = slashed.slice(1).map(Number) as [number, number, number]
  return MONTH_FIRST.test(locale) ? realDay(year, first, second) : realDay(year, second, first)
}

export type DayHeading = { readonly day: string } | { readonly foreign: true }

/** What the heading of a column says about a day of `month`; undefined: it names no day. `foreign`: a day that the month does not have. */
export function dayOfHeading(value: CellValue | undefined, month: string): DayHeading | undefined {
  if (value === undefined || typeof value === 'boolean') return undefined
  const [year, monthNumber] = month.split('-').map(Number) as [number, number]
  const dayIn = (day: string | undefined): DayHeading => (day?.startsWith(month) ? { day } : { foreign: true })
  const numbered = (day: number): DayHeading => dayIn(realDay(year, monthNumber, day))
  if (typeof value === 'number') {
    if (value >= FIRST_SERIAL) return dayIn(dayOfSerial(value))
    if (value < 1 || value >= 32) return undefined
    if (Number.isInteger(value)) return numbered(value)
    // '03.11', which a spreadsheet took for a number.
    const asMonth = Math.round((value - Math.floor(value)) * 100)
    return asMonth === monthNumber ? numbered(Math.floor(value)) : undefined
  }
  const plain = /^(\d{1,2})$/.exec(value)
  if (plain !== null) return Number(plain[1]) >= 1 && Number(plain[1]) <= 31 ? numbered(Number(plain[1])) : undefined
  const short = /^(\d{1,2})\.(\d{1,2})\.?$/.exec(value)
  if (short !== null) {
    const day = realDay(year, Number(short[2]), Number(short[1]))
    return Number(short[2]) >= 1 && Number(short[2]) <= 12 && Number(short[1]) <= 31 ? dayIn(day) : undefined
  }
  const full = dayOfCell(value, '')
  return full === undefined ? undefined : dayIn(full)
}
