// Reads sums from the rows of a file, with the address of each: a column for date and sum, or a column for each day. Names are not looked up.

import { partnerSpend } from '@tributary/contract/entities/partner-spend'
import type { MessageKey } from '@tributary/contract/words/messages'
import { readExactAmount } from '../../integrations/player-report/amount.ts'
import type { Moments } from '../../integrations/player-report/moments.ts'
import { dayOfHeading } from '../../integrations/sheets/months.ts'
import type { SheetRow } from '../../lib/sheet/sheet.ts'

const COLUMNS = {
  partner: ['partner', 'affiliate', 'партнер', 'партнёр'],
  stream: ['stream', 'поток'],
  country: ['country', 'geo', 'гео', 'страна'],
  site: ['site id', 'site', 'id сайта', 'сайт'],
  currency: ['currency', 'валюта'],
  date: ['date', 'day', 'дата', 'день'],
  sum: ['sum', 'amount', 'spend', 'base', 'cost', 'сумма', 'расход', 'расходы'],
} as const
type ColumnName = keyof typeof COLUMNS

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
// The registry above names every column once.
const NAMES = new Map(
  (Object.entries(COLUMNS) as [ColumnName, readonly string[]][]).flatMap(([name, headings]) =>
    headings.map((heading): [string, ColumnName] => [plain(heading), name]),
  ),
)
const TOTAL = /^(total|итого|всего)(?!\p{L})/iu

const SHORT_YEAR = /^(\d{1,2})\.(\d{1,2})\.(\d{2})$/

/** Names are cut, so that a hostile file stays small in memory. */
const NAME_MAX = 255
const HEADING_ROWS = 20

/** A sum of the file. `at`: cells of [stream, country, date, sum]. */
export interface FileCell {
  readonly partner: string
  readonly stream: string
  readonly country: string
  readonly site: string
  readonly currency: string
  readonly date: string
  readonly sum: string
  readonly at: CellAddresses
}

interface CellAddresses {
  readonly stream: string
  readonly country: string
  readonly currency: string
  readonly sum: string
}

export interface FileRejection {
  readonly cell: string
  readonly key: MessageKey
  readonly values?: Readonly<Record<string, string | number>>
  /** Nobody meant it to be taken. */
  readonly isWarning?: true
}

interface Heading {
  readonly line: number
  readonly texts: readonly string[]
  readonly columns: ReadonlyMap<ColumnName, number>
  /** Columns of days; empty if there is a column for the date. */
  readonly days: readonly (readonly [number, string])[]
  /** Columns whose amounts are not taken although they may be meant. */
  readonly unknown: readonly number[]
  /** Columns that have been named as a whole. */
  readonly named: Set<number>
}

export class FileLayout {
  readonly #moments: Moments
  #heading: Heading | undefined
  #rows = 0
  /** Merged cells of names hold a text in their first row only. */
  #above: { stream: string; country: string } = { stream: '', country: '' }

  constructor(moments: Moments) {
    this.#moments = moments
  }

  /** True once the heading is found; it is among the first rows. */
  get isOpen(): boolean {
    return this.#heading !== undefined
  }

  get isHopeless(): boolean {
    return this.#heading === undefined && this.#rows > HEADING_ROWS
  }

  *read(row: SheetRow): Generator<FileCell | FileRejection> {
    this.#rows += 1
    if (this.#heading === undefined) {
      const heading = this.#readHeading(row)
      if (heading !== undefined && isWhole(heading)) this.#heading = heading
      return
    }
    // A second table has headings of its own, and other days.
    const next = isHeadingAgain(row, this.#heading) ? this.#readHeading(row) : undefined
    if (next !== undefined) this.#heading = next
    else if (!row.cells.some((text) => TOTAL.test(text.trim()))) yield* this.#readRow(row, this.#heading)
  }

  /** Undefined: the row does not name the columns of stream and country. */
  #readHeading({ cells, isNumber, line }: SheetRow): Heading | undefined {
    const texts = cells.map((text) => text.trim())
    const columns = new Map<ColumnName, number>()
    for (const [place, text] of texts.entries()) {
      const name = NAMES.get(plain(text))
      if (name !== undefined && !columns.has(name)) columns.set(name, place)
    }
    if (!columns.has('stream') || !columns.has('country')) return undefined
    const found = this.#readDays(texts, isNumber)
    const hasDates = columns.has('date') && columns.has('sum')
    const known = new Set(hasDates ? [] : found.map(([place]) => place))
    const isUnknown = (text: string, place: number): boolean =>
      !known.has(place) && !NAMES.has(plain(text)) && !TOTAL.test(text)
    // Beside a column of sums others are of no interest, unless they are days.
    const others = hasDates ? found.map(([place]) => place) : [...texts.keys()]
    const unknown = others.filter((place) => isUnknown(texts[place] ?? '', place))
    return { line, texts, columns, days: hasDates ? [] : found, unknown, named: new Set() }
  }

  #readDays(texts: readonly string[], isNumber: readonly boolean[]): (readonly [number, string])[] {
    const dayIn = (text: string, place: number): string | undefined =>
      this.#moments.day(text.replace(SHORT_YEAR, '$1.$2.20$3'), isNumber[place] === true)
    const dated = texts.flatMap((text, place) => dayIn(text, place) ?? [])
    const [month, ...others] = new Set(dated.map((day) => day.slice(0, 7)))
    return texts.flatMap((text, place) => {
      const full = dayIn(text, place)
      if (full !== undefined) return [[place, full] as const]
      // Of the one month of the file, '20 Nov' is a day; a plain number may be anything.
      if (month === undefined || others.length > 0 || isNumber[place] === true || /^\d*$/.test(text)) return []
      const heading = dayOfHeading(text, month)
      return heading !== undefined && 'day' in heading ? [[place, heading.day] as const] : []
    })
  }

  *#readRow(row: SheetRow, heading: Heading): Generator<FileCell | FileRejection> {
    const { columns, days } = heading
    const textOf = (name: ColumnName): string => textAt(row, columns.get(name)).slice(0, NAME_MAX)
    const above = this.#above
    const [stream, country] = [
      textOf('stream') || above.stream,
      textOf('country') || (textOf('stream') === '' ? above.country : ''),
    ]
    const addressOf = (name: ColumnName): string => address(columns.get(name) ?? 0, row.line)
    const names = {
      partner: textOf('partner'),
      stream,
      country,
      site: textOf('site'),
      currency: textOf('currency'),
    }
    const at = { stream: addressOf('stream'), country: addressOf('country'), currency: addressOf('currency') }
    const sums: readonly (readonly [number, string | undefined])[] =
      columns.has('date') && columns.has('sum')
        ? [[columns.get('sum') ?? 0, this.#dayOf(row, columns.get('date'))]]
        : days
    let hasSums = false
    for (const rejection of rejectUnknown(row, heading)) {
      hasSums = true
      yield rejection
    }
    for (const [place, date] of sums) {
      if (textAt(row, place) === '') continue
      hasSums = true
      const cell = address(place, row.line)
      if (date === undefined) {
        yield { cell: addressOf('date'), key: textOf('date') === '' ? 'required' : 'date_invalid' }
        continue
      }
      const sum = readSum(row, place)
      if ('key' in sum) yield { cell, ...sum }
      else yield { ...names, date, sum: sum.text, at: { ...at, sum: cell } }
    }
    if (hasSums || textOf('stream') !== '') this.#above = { stream, country }
  }

  #dayOf(row: SheetRow, place: number | undefined): string | undefined {
    return place === undefined ? undefined : this.#moments.day(textAt(row, place), row.isNumber[place] === true)
  }
}

const isWhole = ({ columns, days }: Heading): boolean => days.length > 0 || (columns.has('date') && columns.has('sum'))

const isHeadingAgain = (row: SheetRow, { columns }: Heading): boolean =>
  [columns.get('stream'), columns.get('country')].every((place) => NAMES.has(plain(textAt(row, place))))

/** Amounts in columns whose heading is no day. A heading in words is named once; any other one may be a day, so that each amount is rejected. */
function* rejectUnknown(row: SheetRow, { texts, line, unknown, named }: Heading): Generator<FileRejection> {
  const beyond = Array.from(
    { length: Math.max(0, row.cells.length - texts.length) },
    (_, index) => texts.length + index,
  )
  for (const place of beyond.length === 0 ? unknown : [...unknown, ...beyond]) {
    if (named.has(place) || textAt(row, place) === '') continue
    const sum = readSum(row, place)
    if ('key' in sum && sum.key === 'import_figure_invalid') continue
    const [heading, cell] = [texts[place] ?? '', address(place, row.line)]
    const at = address(place, line)
    if (heading === '') yield { cell, key: 'spend_heading_absent', values: { cell: at } }
    else if (/\d/.test(heading)) yield { cell, key: 'spend_heading_unknown', values: { heading, cell: at } }
    else {
      named.add(place)
      yield { cell: at, key: 'spend_column_left', values: { heading }, isWarning: true }
    }
  }
}

const textAt = ({ cells }: SheetRow, place: number | undefined): string =>
  place === undefined ? '' : (cells[place] ?? '').trim()

/** '1,234' or '1.234': the sign may part thousands or decimals. */
const TWO_WAYS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/

function readSum(row: SheetRow, place: number): { text: string } | Pick<FileRejection, 'key' | 'values'> {
  const isNumber = row.isNumber[place] === true
  const given = textAt(row, place)
  if (!isNumber && TWO_WAYS.test(given)) return { key: 'spend_two_ways' }
  const read = readExactAmount(given, isNumber)
  if (read === undefined) return { key: 'import_figure_invalid' }
  if (read === 'too_precise') return { key: 'too_precise', values: { scale: partnerSpend.fields.sum.scale } }
  const text = read.amount
  if (text.startsWith('-')) return { key: 'spend_sum_negative' }
  return Number(text) > partnerSpend.fields.sum.max ? { key: 'spend_sum_large' } : { text }
}

/** (27, 14) → 'AB14' */
export function address(column: number, line: number): string {
  let letters = ''
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1)
    letters = String.fromCharCode(65 + (rest % 26)) + letters
  return `${letters}${line}`
}
