// Reads sums from the rows of a file, with the address of each: a column for date and sum, or a column for each day. Names are not looked up.

import { partnerSpend } from '@tributary/contract/entities/partner-spend'
import type { MessageKey } from '@tributary/contract/words/messages'
import { readAmount } from '../../integrations/player-report/amount.ts'
import type { Moments } from '../../integrations/player-report/moments.ts'
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
}

interface Heading {
  readonly columns: ReadonlyMap<ColumnName, number>
  /** Columns of days; empty if there is a column for the date. */
  readonly days: readonly (readonly [number, string])[]
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
    if (this.#heading === undefined) this.#heading = this.#readHeading(row)
    else if (!row.cells.some((text) => TOTAL.test(text.trim()))) yield* this.#readRow(row, this.#heading)
  }

  #readHeading({ cells, isNumber }: SheetRow): Heading | undefined {
    const columns = new Map<ColumnName, number>()
    const days: [number, string][] = []
    for (const [place, text] of cells.entries()) {
      const name = NAMES.get(plain(text))
      if (name !== undefined && !columns.has(name)) columns.set(name, place)
      const day = name === undefined ? this.#moments.day(text, isNumber[place] === true) : undefined
      if (day !== undefined) days.push([place, day])
    }
    if (!columns.has('stream') || !columns.has('country')) return undefined
    if (columns.has('date') && columns.has('sum')) return { columns, days: [] }
    return days.length > 0 ? { columns, days } : undefined
  }

  *#readRow(row: SheetRow, { columns, days }: Heading): Generator<FileCell | FileRejection> {
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
      days.length > 0 ? days : [[columns.get('sum') ?? 0, this.#dayOf(row, columns.get('date'))]]
    let hasSums = false
    for (const [place, date] of sums) {
      if (textAt(row, place) === '') continue
      hasSums = true
      const cell = address(place, row.line)
      if (date === undefined) {
        yield { cell: addressOf('date'), key: textOf('date') === '' ? 'required' : 'date_invalid' }
        continue
      }
      const sum = readSum(row, place)
      if ('key' in sum) yield { cell, key: sum.key }
      else yield { ...names, date, sum: sum.text, at: { ...at, sum: cell } }
    }
    if (hasSums || textOf('stream') !== '') this.#above = { stream, country }
  }

  #dayOf(row: SheetRow, place: number | undefined): string | undefined {
    return place === undefined ? undefined : this.#moments.day(textAt(row, place), row.isNumber[place] === true)
  }
}

const textAt = ({ cells }: SheetRow, place: number | undefined): string =>
  place === undefined ? '' : (cells[place] ?? '').trim()

/** '1,234' or '1.234': the sign may part thousands or decimals. */
const TWO_WAYS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/

function readSum(row: SheetRow, place: number): { text: string } | { key: MessageKey } {
  const isNumber = row.isNumber[place] === true
  const given = textAt(row, place)
  if (!isNumber && TWO_WAYS.test(given)) return { key: 'spend_two_ways' }
  const text = readAmount(given, isNumber)
  if (text === undefined) return { key: 'import_figure_invalid' }
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
