// Months and days as people write them in titles of tabs, headings and cells.

import type { CellValue } from './grid.ts'

const LANGUAGES = ['en', 'ru', 'uk'] as const
const SHORTEST_NAME = 3
const two = (value: number): string => String(value).padStart(2, '0')

/** [name, number of the month], in lower case: alone and beside a day, 'ноябрь' and 'ноября'. */
const MONTH_NAMES: readonly (readonly [string, number])[] = LANGUAGES.flatMap((language) => {
  const alone = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  const besideDay = new Intl.DateTimeFormat(language, { month: 'long', day: 'numeric', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, index) => Date.UTC(2026, index, 1)).flatMap((at, index) => {
    const name = besideDay.formatToParts(at).find(({ type }) => type === 'month')?.value ?? ''
    return [alone.format(at), name].map((text) => [text.toLowerCase(), index + 1] as const)
  })
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
  const named = /^(\p{L}+\.?)[\s,'’]+(\d{4}|\d{2})(?:\s?г\.?)?$/u.exec(text)
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

interface MentionedMonth {
  readonly month: number
  /** Null: the title has no year. */
  readonly year: string | null
}

const MONTH = '(?<month>0?[1-9]|1[0-2])'
const YEAR = '(?<year>20\\d{2})'
const BETWEEN = '[\\s._/-]'
/** '01.10.2026', '10 2026', '2026_10' and '202610' anywhere in a title, '10.26' as the whole title. */
const NUMBERS = [
  `(?<!\\d)\\d{1,2}[./-]${MONTH}[./-]${YEAR}(?!\\d)`,
  `(?<!\\d|\\d[./-])${MONTH}${BETWEEN}+${YEAR}(?!\\d)`,
  `(?<!\\d)${YEAR}${BETWEEN}*(?<month>0[1-9]|1[0-2])(?!\\d)`,
  `^${MONTH}[./-](?<year>[23]\\d)$`,
].map((pattern) => new RegExp(pattern, 'gu'))
/** A year beside the name of a month: four digits anywhere, two digits at the end. */
const YEAR_OF_NAME = /(?<!\d)20\d{2}(?!\d)|(?<=[\s_.'’-])\d{2}$/u
/** 'Лист' is a sheet, and not a beginning of 'листопад'. */
const NO_MONTH = 'лист'

function mentionedMonths(title: string): MentionedMonth[] {
  const text = title.normalize('NFKC').trim()
  const withCentury = (year: string): string => (year.length === 2 ? `20${year}` : year)
  const numbers = NUMBERS.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ groups }) => ({
      month: Number(groups?.month),
      year: withCentury(groups?.year ?? ''),
    })),
  )
  const words = text.match(/\p{L}+/gu) ?? []
  const year = YEAR_OF_NAME.exec(text)?.[0] ?? null
  // Without a year, 'May' among other words may be anything.
  if (year === null && (words.length !== 1 || /\d/.test(text))) return numbers
  const named = words.flatMap((word) => (word.toLowerCase() === NO_MONTH ? [] : (monthNamed(word) ?? [])))
  return [...numbers, ...named.map((month) => ({ month, year: year === null ? null : withCentury(year) }))]
}

/** True if a title mentions months, in any form, and none of them is among `months`. */
export const mentionsOther = (title: string, months: readonly string[]): boolean => {
  const mentioned = mentionedMonths(title)
  const isAmong = ({ month, year }: MentionedMonth): boolean =>
    months.some((one) => one.slice(5) === two(month) && (year === null || one.startsWith(year)))
  return mentioned.length > 0 && !mentioned.some(isAmong)
}

interface Tabs<T> {
  readonly named: readonly T[]
  /** Tabs whose titles mention other months. */
  readonly others: readonly T[]
  /** All other tabs. */
  readonly unnamed: readonly T[]
}

/** The tabs that are named after one of these months. Without months, no tab is of another one. */
export function tabsOfMonth<T extends { readonly title: string }>(
  tabs: readonly T[],
  months: readonly string[],
): Tabs<T> {
  const isNamed = ({ title }: T): boolean => months.includes(monthOfTitle(title) ?? '')
  const isOther = ({ title }: T): boolean =>
    monthOfTitle(title) !== undefined || (months.length > 0 && mentionsOther(title, months))
  const rest = tabs.filter((tab) => !isNamed(tab))
  return {
    named: tabs.filter(isNamed),
    others: rest.filter(isOther),
    unnamed: rest.filter((tab) => !isOther(tab)),
  }
}

const DAY_MS = 86_400_000
const EPOCH = Date.UTC(1899, 11, 30)
/** Serial numbers of the years 1990 to 2200; anything else is no date. */
const [FIRST_SERIAL, LAST_SERIAL] = [32_874, 109_575]

const dayOfSerial = (serial: number): string | undefined =>
  serial >= FIRST_SERIAL && serial <= LAST_SERIAL
    ? new Date(EPOCH + Math.floor(serial) * DAY_MS).toISOString().slice(0, 10)
    : undefined

/** A value for people: serial numbers of days as days. */
export const showValue = (value: CellValue): string =>
  (typeof value === 'number' ? dayOfSerial(value) : undefined) ?? String(value)

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
export function dayOfHeading(value: CellValue | undefined, month: string, locale = ''): DayHeading | undefined {
  if (value === undefined || typeof value === 'boolean') return undefined
  const dayIn = (day: string | undefined): DayHeading => (day?.startsWith(month) ? { day } : { foreign: true })
  if (typeof value === 'number') {
    if (value >= FIRST_SERIAL) return dayIn(dayOfSerial(value))
    if (value < 1 || value >= 32) return undefined
    if (Number.isInteger(value)) return dayIn(dayOfParts(value, month, {}))
    // '03.11', which a spreadsheet took for a number.
    const asMonth = Math.round((value - Math.floor(value)) * 100)
    return asMonth === Number(month.slice(5)) ? dayIn(dayOfParts(Math.floor(value), month, {})) : undefined
  }
  const text = value.normalize('NFKC').trim()
  const named = dayOfNamedMonth(text, month)
  const found = named === undefined ? dayOfNumbers(text, month, locale) : named
  if (found !== undefined) return dayIn(found ?? undefined)
  const full = dayOfCell(text, locale)
  return full === undefined ? undefined : dayIn(full)
}

/** True for a heading that can be no amount: a date, not a plain number. */
export const isDateHeading = (value: CellValue | undefined, month: string): boolean =>
  (typeof value === 'number' ? value >= FIRST_SERIAL : !/^\s*\d+([.,]\d*)?\s*$/.test(String(value ?? ''))) &&
  'day' in (dayOfHeading(value, month) ?? {})

/** Undefined: no such day. Without its own month or year, a day is of `month`. */
function dayOfParts(
  day: number,
  month: string,
  { ownMonth, ownYear }: { ownMonth?: number; ownYear?: string | undefined },
): string | undefined {
  const year = ownYear === undefined ? month.slice(0, 4) : ownYear.length === 2 ? `20${ownYear}` : ownYear
  return realDay(Number(year), ownMonth ?? Number(month.slice(5)), day)
}

const DAY_THEN_NAME = /^(\d{1,2})(?:st|nd|rd|th|-?го)?[\s.-]*(\p{L}{3,}\.?)(?:[\s,.'’-]*(\d{4}|\d{2}))?(?:\s?г\.?)?$/u
const NAME_THEN_DAY = /^(\p{L}{3,}\.?)[\s.-]*(\d{1,2})(?:st|nd|rd|th)?(?:[\s,.'’-]+(\d{4}|\d{2}))?$/u

/** '20 Nov', '5 ноября 2026', 'Nov 10'; null: no such day; undefined: not written like this. */
function dayOfNamedMonth(text: string, month: string): string | null | undefined {
  const dayFirst = DAY_THEN_NAME.exec(text)
  const nameFirst = dayFirst === null ? NAME_THEN_DAY.exec(text) : null
  const [day, name, year] = dayFirst?.slice(1) ?? [nameFirst?.[2], nameFirst?.[1], nameFirst?.[3]]
  const ownMonth = name === undefined ? undefined : monthNamed(name)
  if (day === undefined || ownMonth === undefined) return undefined
  return dayOfParts(Number(day), month, { ownMonth, ownYear: year }) ?? null
}

/** '20', '20.11', '20/11', '20-11-26', in an American sheet also '11/20'; null: no such day; undefined: not written like this. */
function dayOfNumbers(text: string, month: string, locale: string): string | null | undefined {
  const plain = /^\d{1,2}$/.exec(text)
  if (plain !== null) {
    const day = Number(text)
    return day >= 1 && day <= 31 ? (dayOfParts(day, month, {}) ?? null) : undefined
  }
  const parts = /^(\d{1,2})([./-])(\d{1,2})(?:\2(\d{4}|\d{2}))?\.?$/.exec(text)
  if (parts === null) return undefined
  const [first, mark, second, ownYear] = [Number(parts[1]), parts[2], Number(parts[3]), parts[4]]
  const dayFirst = dayOfParts(first, month, { ownMonth: second, ownYear })
  const monthFirst =
    mark !== '.' && MONTH_FIRST.test(locale) ? dayOfParts(second, month, { ownMonth: first, ownYear }) : undefined
  return [dayFirst, monthFirst].find((day) => day?.startsWith(month)) ?? dayFirst ?? monthFirst ?? null
}

/** Every day of 'YYYY-MM'. */
export function daysOfMonth(month: string): string[] {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return Array.from({ length: count }, (_, index) => `${month}-${two(index + 1)}`)
}
