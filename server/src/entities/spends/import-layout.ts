// Reads sums from the rows of a file, with the address of each: a column for date and sum, or a column for each day. Names are not looked up.

import { partnerSpend } from '@tributary/contract/entities/partner-spend'
import type { SheetLayout } from '@tributary/contract/sheet-mapping'
import type { MessageKey } from '@tributary/contract/words/messages'
import { readExactAmount } from '../../integrations/player-report/amount.ts'
import type { Moments } from '../../integrations/player-report/moments.ts'
import { isFormulaError, isTotal, plainText, withoutCurrency } from '../../integrations/sheets/grid.ts'
import { dayOfHeading } from '../../integrations/sheets/months.ts'
import { remember } from '../../lib/remember.ts'
import type { SheetRow } from '../../lib/sheet/sheet.ts'
import { type MergedTexts, NO_MERGES } from './merged-texts.ts'

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

/** 'Sum USD': not a column of totals. */
function isSumInCurrency(text: string): boolean {
  const [whole, name] = [plainText(text), withoutCurrency(plainText(text))]
  return name !== whole && NAMES.get(plain(name)) === 'sum'
}

/** '5' and '05' */
const PLAIN_DAY = /^(?:0?[1-9]|[12]\d|3[01])$/
const SHORT_YEAR = /^(\d{1,2})\.(\d{1,2})\.(\d{2})$/

/** Names are cut, so that a hostile file stays small in memory. */
const NAME_MAX = 255
const HEADING_ROWS = 20

/** The place of a column, and its day. */
export type DayColumn = readonly [number, string]

/** Places of the columns that a rejection may name. */
interface NameColumns {
  readonly stream: number
  readonly country: number
  readonly currency: number
}

/** The names of a row. */
export interface FileNamesOfRow {
  readonly partner: string
  readonly stream: string
  readonly country: string
  readonly site: string
  readonly currency: string
  readonly line: number
  /** One object for all rows below a heading. */
  readonly columns: NameColumns
}

/** A sum of the file. */
export interface FileCell extends FileNamesOfRow {
  readonly date: string
  readonly sum: string
  /** The number of the file, if `sum` is less exact. */
  readonly rounded?: string
  /** The place of its column. */
  readonly column: number
}

/** A row with empty cells. */
export interface FileRow extends FileNamesOfRow {
  readonly empty: readonly DayColumn[]
}

export interface FileRejection {
  readonly cell: string
  readonly key: MessageKey
  readonly values?: Readonly<Record<string, string | number>>
  /** Nobody meant it to be taken. */
  readonly isWarning?: true
}

export type FilePart = FileCell | FileRow | FileRejection

interface Heading {
  readonly line: number
  readonly texts: readonly string[]
  readonly columns: ReadonlyMap<ColumnName, number>
  /** Columns of days; empty if there is a column for the date. */
  readonly days: readonly DayColumn[]
  /** Columns whose amounts are not taken although they may be meant. */
  readonly unknown: readonly number[]
  /** Second columns of a field, with the first. */
  readonly repeated: ReadonlyMap<number, number>
  /** Columns that have been named as a whole. */
  readonly named: Set<number>
  /** Columns of the product's own export, which need no warning. */
  readonly own: ReadonlySet<number>
  readonly nameColumns: NameColumns
}

export interface LayoutOptions {
  readonly moments: Moments
  /** 'YYYY-MM' of days that name none. */
  readonly month: string | null
  /** 'YYYY-MM' that the title of the tab names: days of other months are rejected. */
  readonly ownMonth?: string | null
  readonly merged?: MergedTexts
  /** Headings of the product's own export that say nothing of the sum. */
  readonly ownHeadings: readonly string[]
}

export class FileLayout {
  readonly #moments: Moments
  readonly #month: string | null
  readonly #ownMonth: string | null
  readonly #merged: MergedTexts
  readonly #ownHeadings: ReadonlySet<string>
  /** A row names stream and country, and days of no month. */
  #lacksMonth = false
  #heading: Heading | undefined
  #rows = 0
  /** Whether a text is a heading of totals, and whether it names a column: a file repeats few texts in many cells. */
  readonly #totals = new Map<string, boolean>()
  readonly #columnNames = new Map<string, boolean>()

  constructor({ moments, month, ownMonth = null, merged = NO_MERGES, ownHeadings }: LayoutOptions) {
    this.#moments = moments
    this.#month = ownMonth ?? month
    this.#ownMonth = ownMonth
    this.#merged = merged
    this.#ownHeadings = new Set(ownHeadings.map(plain))
  }

  /** Null until the heading is found; it is among the first rows. */
  get kind(): SheetLayout | null {
    if (this.#heading === undefined) return null
    return isLedger(this.#heading) ? 'ledger' : 'matrix'
  }

  /** True if headings were found that only lack a month. */
  get lacksMonth(): boolean {
    return this.#lacksMonth
  }

  get isHopeless(): boolean {
    return this.#heading === undefined && this.#rows > HEADING_ROWS
  }

  *read(row: SheetRow): Generator<FilePart> {
    this.#rows += 1
    this.#merged.enter(row)
    if (this.#heading === undefined) {
      const heading = this.#readHeading(row)
      if (heading !== undefined && isWhole(heading)) this.#heading = heading
      return
    }
    // A second table has headings of its own, and other days.
    const next = this.#isHeadingAgain(row, this.#heading) ? this.#readHeading(row) : undefined
    if (next !== undefined) this.#heading = next
    else if (!this.#isTotalRow(row)) yield* this.#readRow(row, this.#heading)
  }

  #isHeadingAgain(row: SheetRow, { nameColumns: { stream, country } }: Heading): boolean {
    return [stream, country].every((place) => {
      const text = textAt(row, place)
      return remember(this.#columnNames, text, () => NAMES.has(plain(text)))
    })
  }

  #isTotalRow({ cells, isNumber }: SheetRow): boolean {
    return cells.some((text, place) => isNumber[place] !== true && remember(this.#totals, text, () => isTotal(text)))
  }

  /** Undefined: the row does not name the columns of stream and country. */
  #readHeading({ cells, isNumber, line }: SheetRow): Heading | undefined {
    const texts = cells.map((text) => text.trim())
    const columns = new Map<ColumnName, number>()
    const repeated = new Map<number, number>()
    for (const [place, text] of texts.entries()) {
      const name = NAMES.get(plain(text))
      if (name === undefined) continue
      const first = columns.get(name)
      if (first === undefined) columns.set(name, place)
      else repeated.set(place, first)
    }
    if (!columns.has('stream') || !columns.has('country')) return undefined
    const sum = columns.get('sum')
    if (sum !== undefined)
      for (const [place, text] of texts.entries()) if (place !== sum && isSumInCurrency(text)) repeated.set(place, sum)
    const hasDates = columns.has('date') && columns.has('sum')
    const found = this.#readDays(texts, isNumber, hasDates ? null : this.#month)
    this.#lacksMonth ||=
      !hasDates && this.#month === null && found.length === 0 && texts.some((text) => PLAIN_DAY.test(text))
    const known = new Set(hasDates ? [] : found.map(([place]) => place))
    const isUnknown = (text: string, place: number): boolean =>
      !known.has(place) && !NAMES.has(plain(text)) && !isTotal(text)
    // Beside a column of sums one without a heading is of no interest.
    const unknown = [...texts.entries()].filter(([place, text]) => isUnknown(text, place) && !(hasDates && text === ''))
    return {
      line,
      texts,
      columns,
      days: hasDates ? [] : found,
      unknown: unknown.map(([place]) => place),
      repeated,
      named: new Set(),
      own: new Set(unknown.flatMap(([place, text]) => (this.#ownHeadings.has(plain(text)) ? place : []))),
      nameColumns: {
        stream: columns.get('stream') ?? 0,
        country: columns.get('country') ?? 0,
        currency: columns.get('currency') ?? 0,
      },
    }
  }

  #readDays(texts: readonly string[], isNumber: readonly boolean[], given: string | null): DayColumn[] {
    const dayIn = (text: string, place: number): string | undefined =>
      this.#moments.day(text.replace(SHORT_YEAR, '$1.$2.20$3'), isNumber[place] === true)
    const dated = texts.flatMap((text, place) => dayIn(text, place) ?? [])
    const [own, ...others] = new Set(dated.map((day) => day.slice(0, 7)))
    const month = own ?? given
    return texts.flatMap((text, place) => {
      const full = dayIn(text, place)
      if (full !== undefined) return [[place, full] as const]
      // Of the one month of the file, '20 Nov' is a day; a plain number may be anything, unless a person named the month.
      const isPlain = isNumber[place] === true || /^\d*$/.test(text)
      if (month === null || others.length > 0 || (isPlain && month !== given) || text === '') return []
      const heading = dayOfHeading(isNumber[place] === true ? Number(text) : text, month)
      return heading !== undefined && 'day' in heading ? [[place, heading.day] as const] : []
    })
  }

  *#readRow(row: SheetRow, heading: Heading): Generator<FilePart> {
    const { columns, days } = heading
    const textOf = (name: ColumnName): string => {
      const place = columns.get(name)
      return (textAt(row, place) || (place === undefined ? '' : (this.#merged.find(place)?.text ?? ''))).slice(
        0,
        NAME_MAX,
      )
    }
    const addressOf = (name: ColumnName): string => address(columns.get(name) ?? 0, row.line)
    const names = {
      partner: textOf('partner'),
      stream: textOf('stream'),
      country: textOf('country'),
      site: textOf('site'),
      currency: textOf('currency'),
      line: row.line,
      columns: heading.nameColumns,
    }
    const isFilled = (place: number): boolean => textAt(row, place) !== '' || isUncalculated(row, place)
    const places = isLedger(heading)
      ? [[columns.get('sum') ?? 0, this.#dayOf(row, columns.get('date'))] as const]
      : days
    const sums = places.filter(([place]) => isFilled(place))
    yield* rejectUnknown(row, heading)
    // A row that names no stream or country of its own may be a subtotal.
    const nameless = sums.length === 0 ? undefined : NEEDED.find(([name]) => names[name] === '')
    if (nameless !== undefined) {
      const [name, key] = nameless
      const isFormula = isUncalculated(row, columns.get(name) ?? -1)
      yield { cell: addressOf(name), key: isFormula ? 'spend_formula_empty' : key }
      return
    }
    const broken = sums.length === 0 ? undefined : NAMED.find((name) => isFormulaError(names[name]))
    if (broken !== undefined) {
      yield formulaError(addressOf(broken), names[broken])
      return
    }
    const empty = places.filter((column): column is DayColumn => column[1] !== undefined && !isFilled(column[0]))
    if (empty.length > 0 && NEEDED.every(([name]) => names[name] !== '')) yield { ...names, empty }
    for (const [place, date] of sums) {
      const cell = address(place, row.line)
      if (isUncalculated(row, place)) {
        yield { cell, key: 'spend_formula_empty' }
        continue
      }
      if (date === undefined) {
        const at = addressOf('date')
        const text = textOf('date')
        if (isFormulaError(text)) yield formulaError(at, text)
        else if (text === '') yield { cell: at, key: 'spend_date_absent', values: { row: row.line } }
        else yield { cell: at, key: 'spend_date_unread', values: { text, cell: at } }
        continue
      }
      const sum = readSum(row, place)
      if ('key' in sum) yield sum
      else if (this.#ownMonth !== null && !date.startsWith(this.#ownMonth)) yield { cell, key: 'spend_outside_month' }
      else yield { ...names, date, ...sum, column: place }
    }
  }

  #dayOf(row: SheetRow, place: number | undefined): string | undefined {
    if (place === undefined) return undefined
    const own = textAt(row, place)
    const shared = own === '' ? this.#merged.find(place) : undefined
    return this.#moments.day(shared?.text ?? own, shared?.isNumber ?? row.isNumber[place] === true)
  }
}

const NEEDED = [
  ['stream', 'spend_stream_absent'],
  ['country', 'spend_country_absent'],
] as const

const NAMED = ['partner', 'stream', 'country', 'site', 'currency'] as const

const formulaError = (cell: string, error: string): FileRejection => ({
  cell,
  key: 'spend_formula_error',
  values: { cell, error },
})

const isLedger = ({ columns }: Pick<Heading, 'columns'>): boolean => columns.has('date') && columns.has('sum')
const isWhole = (heading: Heading): boolean => heading.days.length > 0 || isLedger(heading)

const isUncalculated = ({ uncalculated }: SheetRow, place: number): boolean => uncalculated?.includes(place) === true

/** Amounts in columns whose heading is no day. A heading in words is named once; any other one may be a day, so that each amount is rejected. */
function* rejectUnknown(row: SheetRow, heading: Heading): Generator<FileRejection> {
  const { texts, line, unknown, repeated, named, own } = heading
  for (const [place, first] of repeated) {
    if (named.has(place) || textAt(row, place) === '') continue
    named.add(place)
    const values = { heading: texts[place] ?? '', first: address(first, line) }
    yield { cell: address(place, line), key: 'spend_column_repeated', values, isWarning: true }
  }
  const beyond = Array.from(
    { length: Math.max(0, row.cells.length - texts.length) },
    (_, index) => texts.length + index,
  )
  for (const place of beyond.length === 0 ? unknown : [...unknown, ...beyond]) {
    if (named.has(place) || textAt(row, place) === '') continue
    const sum = readSum(row, place)
    if ('key' in sum && NO_AMOUNT.some((key) => key === sum.key)) continue
    const [text, cell] = [texts[place] ?? '', address(place, row.line)]
    const at = address(place, line)
    if (isLedger(heading)) {
      named.add(place)
      if (text !== '' && !own.has(place))
        yield { cell: at, key: 'spend_column_unused', values: { heading: text }, isWarning: true }
    } else if (text === '') yield { cell, key: 'spend_heading_absent', values: { cell: at } }
    else if (/\d/.test(text) || isFormulaError(text))
      yield { cell, key: 'spend_heading_unknown', values: { heading: text, cell: at } }
    else {
      named.add(place)
      yield { cell: at, key: 'spend_column_left', values: { heading: text }, isWarning: true }
    }
  }
}

const textAt = ({ cells }: SheetRow, place: number | undefined): string =>
  place === undefined ? '' : (cells[place] ?? '').trim()

/** '1,234' or '1.234': the sign may part thousands or decimals. */
const TWO_WAYS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/

/** What is no amount loses none in a column that is not read. */
const NO_AMOUNT = ['import_figure_invalid', 'spend_formula_error'] as const

function readSum(row: SheetRow, place: number): Pick<FileCell, 'sum' | 'rounded'> | FileRejection {
  const isNumber = row.isNumber[place] === true
  const given = textAt(row, place)
  const cell = address(place, row.line)
  if (isFormulaError(given)) return formulaError(cell, given)
  if (!isNumber && TWO_WAYS.test(given)) return { cell, key: 'spend_two_ways' }
  const read = readExactAmount(given, isNumber)
  if (read === undefined) return { cell, key: 'import_figure_invalid' }
  if (read === 'too_precise') return { cell, key: 'too_precise', values: { scale: partnerSpend.fields.sum.scale } }
  const { amount: sum, isRounded } = read
  if (sum.startsWith('-')) return { cell, key: 'spend_sum_negative' }
  if (Number(sum) > partnerSpend.fields.sum.max) return { cell, key: 'spend_sum_large' }
  return isRounded ? { sum, rounded: given } : { sum }
}

/** (27, 14) → 'AB14' */
export function address(column: number, line: number): string {
  let letters = ''
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1)
    letters = String.fromCharCode(65 + (rest % 26)) + letters
  return `${letters}${line}`
}
