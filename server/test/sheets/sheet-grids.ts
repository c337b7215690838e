// Random spend sheets with what they mean: written from the intended spends, so that nothing of the reader is repeated here.

import * as fc from 'fast-check'
import type { CellValue, Grid } from '../../src/integrations/sheets/grid.ts'
import type { Merge } from '../../src/lib/sheet/sheet.ts'

export interface MeantSpend {
  readonly stream: string
  readonly country: string
  readonly site: string | null
  readonly date: string
  /** With four digits after the point. */
  readonly sum: string
}

export interface MadeSheet {
  readonly grid: Grid
  readonly locale: string
  readonly month: string
  /** What is to be taken. */
  readonly spends: readonly MeantSpend[]
  /** A1 addresses of what cannot be read. */
  readonly dirty: readonly string[]
  /** The spends that stand in these cells. */
  readonly spoiled: readonly Omit<MeantSpend, 'sum'>[]
  /** Days that a column with amounts may stand for, whose heading names no day. */
  readonly unreadDays: ReadonlySet<string>
}

export const STREAMS = ['North Push', 'Юг / тизеры', 'stream 3', 'Total Media'] as const
/** As sheets write them → the country they mean. */
export const COUNTRIES: Readonly<Record<string, string>> = {
  Poland: 'PL',
  Польша: 'PL',
  de: 'DE',
  'Great Britain': 'GB',
}

const letters = (column: number): string =>
  column < 26 ? String.fromCharCode(65 + column) : `A${String.fromCharCode(39 + column)}`
const two = (value: number): string => String(value).padStart(2, '0')
const serialOf = (date: string): number => Math.round((Date.parse(date) - Date.parse('1899-12-30')) / 86_400_000)

/** Writings of one amount in cents. */
function writeSum(cents: number, locale: string, style: number): CellValue {
  const whole = String(Math.floor(cents / 100))
  const rest = two(cents % 100)
  const grouped = (mark: string) => whole.replace(/\B(?=(\d{3})+$)/g, mark)
  if (style === 0) return cents / 100
  if (style === 1) return `${grouped(' ')}${locale === 'ru_RU' ? ',' : '.'}${rest}`
  if (style === 2) return locale === 'ru_RU' ? `${grouped('\u00a0')},${rest}` : `${grouped(',')}.${rest}`
  return `  ${whole}${locale === 'ru_RU' ? ',' : '.'}${rest} `
}

const DIRT: readonly CellValue[] = ['#REF!', '#N/A', 'abc', '12 apples', -5, 10 ** 12, true, '1.2.3,4']

interface Line {
  stream: number
  country: number
  cells: { day: number; cents: number; style: number; dirt: number }[]
}

const cell = fc.record({
  day: fc.integer({ min: 1, max: 30 }),
  cents: fc.integer({ min: 0, max: 9_999_999 }),
  style: fc.integer({ min: 0, max: 3 }),
  // About one in eight is dirty.
  dirt: fc.integer({ min: 0, max: DIRT.length * 8 }),
})

/** A stream and a country stand in one row at most. */
const lines: fc.Arbitrary<Line[]> = fc.uniqueArray(
  fc.record({
    stream: fc.nat(STREAMS.length - 1),
    country: fc.nat(Object.keys(COUNTRIES).length - 1),
    cells: fc.uniqueArray(cell, { maxLength: 12, selector: ({ day }) => day }),
  }),
  { minLength: 1, maxLength: 10, selector: ({ stream, country }) => `${stream} ${Object.values(COUNTRIES)[country]}` },
)

const frameOf = (month: string): fc.Arbitrary<Frame> => fc.record({ month: fc.constant(month), ...SHAPE })

const SHAPE = {
  locale: fc.constantFrom('ru_RU', 'en_US'),
  above: fc.nat(3),
  before: fc.nat(2),
  swaps: fc.boolean(),
  hasSite: fc.boolean(),
  merges: fc.boolean(),
  totals: fc.boolean(),
  headings: fc.nat(3),
  days: fc.nat(10),
  /** A further table begins with half of the rows: not, at once, after a blank row. */
  second: fc.nat(2),
  /** Of the first table, the day whose heading is lost; often none. */
  lost: fc.integer({ min: 1, max: 60 }),
  lostAs: fc.constantFrom<CellValue>('', '0', 32, 'Twentieth', '??', 'Offer 12'),
  shuffle: fc.array(fc.nat(1000), { minLength: 40, maxLength: 40 }),
  title: fc.nat(3),
}

type Shape = { readonly [K in keyof typeof SHAPE]: (typeof SHAPE)[K] extends fc.Arbitrary<infer V> ? V : never }
type Frame = Shape & { readonly month: string }

const STREAM_WORDS = ['Stream', 'ПОТОК', ' поток: ', 'Channel']
const COUNTRY_WORDS = ['Country', 'Гео', 'СТРАНА', 'geo']

const titleOf = ({ month, title }: Frame): string => {
  const [year, number] = month.split('-') as [string, string]
  const names = number === '11' ? ['November 2026', 'Ноябрь 26'] : ['April 2026', 'Апрель 26']
  return [`${number}.${year}`, month, ...names][title] ?? month
}

const dayHeading = ({ days, month }: Frame, day: number): CellValue => {
  const date = `${month}-${two(day)}`
  const [year, number] = [month.slice(2, 4), month.slice(5)]
  const [short, russian] = number === '11' ? ['Nov', 'ноября'] : ['Apr', 'апр.']
  const ways: CellValue[] = [
    ...[day, serialOf(date), `${two(day)}.${number}`, String(day), `${day} ${short}`, `${short} ${two(day)}`],
    ...[`${day} ${russian} 2026`, `${two(day)}.${number}.${year}`, `${day}/${number}`, `${two(day)}-${number}-2026`],
  ]
  return ways[days] ?? date
}

class Sheet {
  readonly rows: CellValue[][] = []
  readonly merges: Merge[] = []
  readonly spends: MeantSpend[] = []
  readonly dirty: string[] = []
  readonly spoiled: Omit<MeantSpend, 'sum'>[] = []
  readonly unreadDays = new Set<string>()

  set(row: number, column: number, value: CellValue): void {
    while (this.rows.length <= row) this.rows.push([])
    const cells = this.rows[row] ?? []
    while (cells.length < column) cells.push('')
    cells[column] = value
  }
}

const shuffled = <T>(items: readonly T[], by: readonly number[]): T[] =>
  items
    .map((item, index) => ({ item, key: by[index % by.length] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)

function putSum(
  sheet: Sheet,
  frame: Frame,
  line: Line,
  made: Line['cells'][number],
  row: number,
  column: number,
): void {
  const spoiled = DIRT[made.dirt]
  sheet.set(row, column, spoiled ?? writeSum(made.cents, frame.locale, made.style))
  const place = {
    stream: STREAMS[line.stream] ?? '',
    country: Object.values(COUNTRIES)[line.country] ?? '',
    site: frame.hasSite ? `s${line.country}` : null,
    date: `${frame.month}-${two(made.day)}`,
  }
  if (spoiled === undefined)
    sheet.spends.push({ ...place, sum: `${Math.floor(made.cents / 100)}.${two(made.cents % 100)}00` })
  else {
    sheet.dirty.push(`${letters(column)}${row + 1}`)
    sheet.spoiled.push(place)
  }
}

type ColumnOf = string | number

function putHeadings(sheet: Sheet, given: Frame, row: number, columns: readonly ColumnOf[]): void {
  const words: Record<string, string> = {
    stream: STREAM_WORDS[given.headings] ?? '',
    country: COUNTRY_WORDS[given.headings] ?? '',
    site: 'Site ID',
  }
  columns.forEach((column, index) => {
    sheet.set(row, index, typeof column === 'number' ? dayHeading(given, column) : (words[column] ?? column))
  })
}

const isLikeAmount = ({ dirt }: Line['cells'][number]): boolean => {
  const spoiled = DIRT[dirt]
  return spoiled === undefined || typeof spoiled === 'number' || String(spoiled).startsWith('#')
}

/** The cells of a column whose heading names no day are not taken; it is named if it holds amounts. */
function loseColumn(sheet: Sheet, given: Frame, columns: readonly ColumnOf[], cells: Line['cells']): void {
  const column = columns.indexOf(given.lost)
  if (column < 0) return
  sheet.set(given.above, column, given.lostAs)
  if (!cells.some(isLikeAmount)) return
  sheet.dirty.push(`${letters(column)}${given.above + 1}`)
  // The further table has all days, and the months have as many as the columns.
  sheet.unreadDays.add(`${given.month}-${two(given.lost)}`)
}

function makeMatrix(given: Frame, lines: readonly Line[]): MadeSheet {
  const sheet = new Sheet()
  const top = given.above
  const ordered = [...lines].sort((a, b) => a.stream - b.stream)
  const split = given.second === 0 ? ordered.length : Math.ceil(ordered.length / 2)
  const fixed = given.swaps ? ['country', 'stream'] : ['stream', 'country']
  if (given.hasSite) fixed.push('site')
  const days = shuffled(
    Array.from({ length: 30 }, (_, day) => day + 1),
    given.shuffle,
  )
  const before = Array.from({ length: given.before }, () => '')
  let columns: readonly ColumnOf[] = [...before, ...fixed, ...days, 'Total']
  for (let row = 0; row < top; row++) sheet.set(row, 0, row === 0 ? 'Spends of the team' : '')
  putHeadings(sheet, given, top, columns)
  const lost = ordered.slice(0, split).flatMap(({ cells }) => cells.filter(({ day }) => day === given.lost))
  loseColumn(sheet, given, columns, lost)
  let row = top
  ordered.forEach((line, index) => {
    row += 1
    if (index === split) {
      row += given.second - 1
      columns = [...before, ...fixed.toReversed(), ...days.toReversed(), 'Total']
      putHeadings(sheet, given, row, columns)
      row += 1
    }
    const at = (name: string): number => columns.indexOf(name)
    const isSame = index > 0 && index !== split && ordered[index - 1]?.stream === line.stream && given.merges
    sheet.set(row, at('stream'), isSame ? '' : ` ${STREAMS[line.stream]} `)
    sheet.set(row, at('country'), Object.keys(COUNTRIES)[line.country] ?? '')
    if (given.hasSite) sheet.set(row, at('site'), `s${line.country}`)
    if (isSame) mergeUp(sheet, row, at('stream'))
    for (const made of line.cells) {
      const column = columns.indexOf(made.day)
      if (index >= split || made.day !== given.lost) putSum(sheet, given, line, made, row, column)
      else sheet.set(row, column, DIRT[made.dirt] ?? writeSum(made.cents, given.locale, made.style))
    }
  })
  if (given.totals) {
    sheet.set(sheet.rows.length, given.before, totalOf(lines))
    for (const [index, column] of columns.entries())
      if (typeof column === 'number') sheet.set(sheet.rows.length - 1, index, 77)
  }
  return finish(sheet, given)
}

const totalOf = (lines: readonly Line[]): string => ['Итого', 'TOTAL EUR', 'Total (USD):'][lines.length % 3] ?? ''

/** Adds a row to the merged range above it. */
function mergeUp(sheet: Sheet, row: number, column: number): void {
  const last = sheet.merges.at(-1)
  if (last?.endRow === row) sheet.merges[sheet.merges.length - 1] = { ...last, endRow: row + 1 }
  else sheet.merges.push({ startRow: row - 1, endRow: row + 1, startColumn: column, endColumn: column + 1 })
}

function makeLedger(given: Frame, lines: readonly Line[]): MadeSheet {
  const sheet = new Sheet()
  const top = given.above
  const names = shuffled(
    ['Date', 'Stream', 'Country', 'Sum', 'Note', ...(given.hasSite ? ['Site'] : [])],
    given.shuffle,
  )
  for (let row = 0; row < top; row++) sheet.set(row, 0, 'about')
  for (const [index, name] of names.entries()) sheet.set(top, given.before + index, name)
  const at = (name: string): number => given.before + names.indexOf(name)
  const all = shuffled(
    lines.flatMap((line) => line.cells.map((made) => ({ line, made }))),
    given.shuffle,
  )
  all.forEach(({ line, made }, index) => {
    const row = top + 1 + index
    const date = `${given.month}-${two(made.day)}`
    sheet.set(row, at('Date'), made.style % 2 === 0 ? serialOf(date) : `${two(made.day)}.${given.month.slice(5)}.2026`)
    sheet.set(row, at('Stream'), (STREAMS[line.stream] ?? '').toUpperCase())
    sheet.set(row, at('Country'), Object.keys(COUNTRIES)[line.country] ?? '')
    if (given.hasSite) sheet.set(row, at('Site'), `s${line.country}`)
    sheet.set(row, at('Note'), 'ok')
    putSum(sheet, given, line, made, row, at('Sum'))
  })
  if (given.totals) {
    const row = Math.max(top + 1, sheet.rows.length)
    sheet.set(row, at('Date'), totalOf(lines))
    sheet.set(row, at('Sum'), 1234)
  }
  return finish(sheet, given)
}

const finish = ({ rows, merges, spends, dirty, spoiled, unreadDays }: Sheet, given: Frame): MadeSheet => ({
  grid: { title: titleOf(given), id: 7, rows, merges },
  locale: given.locale,
  month: given.month,
  spends,
  dirty,
  spoiled,
  unreadDays,
})

/** A sheet of one of the months. */
export const madeSheet = (...months: readonly [string, ...string[]]): fc.Arbitrary<MadeSheet> =>
  fc
    .constantFrom(...months)
    .chain((month) => fc.record({ given: frameOf(month), lines, isLedger: fc.boolean() }))
    .map(({ given, lines: made, isLedger }) => (isLedger ? makeLedger(given, made) : makeMatrix(given, made)))
