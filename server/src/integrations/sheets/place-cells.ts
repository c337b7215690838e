// Puts the cells of a tab in their places: names become ids of the partner's streams, countries and currencies. Pure.

import type { Place } from './grid.ts'
import { addressOf, type Grid, plainText } from './grid.ts'
import type { Named, SheetRow, TabReading } from './read-tab.ts'
import { type SheetWarning, WARNINGS_CAP, type WarningKey, warningAt } from './sheet-warning.ts'

/** Names are in plain text. */
export interface Directory {
  readonly streams: ReadonlyMap<string, number>
  /** Alternative titles come first, then titles, then codes. */
  readonly countries: ReadonlyMap<string, number>
  readonly currencies: ReadonlyMap<string, number>
  /** Where the sheet names no currency. */
  readonly currency: number | null
}

export interface SpendPlace {
  readonly stream: number
  readonly country: number
  readonly site: string | null
}

export interface PlacedCell extends SpendPlace {
  readonly date: string
  readonly sum: string
  readonly currency: number
  readonly at: Place
}

export const keyOfPlace = ({ stream, country, site }: SpendPlace): string => `${stream} ${country} ${site ?? ''}`
export const keyOfCell = (cell: SpendPlace & { readonly date: string }): string => `${keyOfPlace(cell)} ${cell.date}`

export interface Placed {
  /** Each place and day once. */
  readonly cells: readonly PlacedCell[]
  /** Keys of places for which the tab has a row. */
  readonly places: ReadonlySet<string>
  /** Keys of cells, and of whole places, whose text in the sheet is unreadable. Their spends stay. */
  readonly sparedCells: ReadonlySet<string>
  readonly sparedPlaces: ReadonlySet<string>
  /** True if the tab has rows without a known place; any missing row may be one of them. */
  readonly hasStrays: boolean
  /** Days whose spends stay, because a column that may stand for them is unreadable. */
  readonly unreadDays: ReadonlySet<string>
  /** True if rows were left out. Nothing is removed then. */
  readonly isPartial: boolean
  readonly warnings: readonly SheetWarning[]
}

export function placeCells(grid: Grid, reading: TabReading, directory: Directory): Placed {
  const warnings: SheetWarning[] = []
  const warn = (at: Place, key: WarningKey, values?: Record<string, string>): void => {
    if (warnings.length < WARNINGS_CAP) warnings.push(warningAt(grid, at, key, values))
  }
  const filled = new Set([...reading.cells, ...reading.spared].map(({ row }) => row))
  const placeOf = new Map<SheetRow, SpendPlace>()
  let strays = reading.strays
  let unclear = -1
  let { isPartial } = reading
  for (const row of reading.rows) {
    if (row.table === unclear) continue
    if (row.isLikeHeadings && !hasKnownName(row, directory)) {
      // Probably headings in words that are not known: the amounts beneath belong to other days.
      warn(row.stream.at, 'sheet_headings_unclear')
      unclear = row.table
      isPartial = true
      continue
    }
    const place = findPlace(row, directory, (name, key) => {
      if (filled.has(row)) warn(name.at, key, { name: name.text })
    })
    if (place !== undefined) placeOf.set(row, place)
    else if (filled.has(row)) strays += 1
  }
  const places = new Set([...placeOf.values()].map(keyOfPlace))
  const cells = new Map<string, PlacedCell>()
  const sparedCells = new Set<string>()
  const sparedPlaces = new Set<string>()
  const warnedRows = new Set<SheetRow>()
  for (const { row, at, date, sum } of reading.cells) {
    const place = placeOf.get(row)
    if (place === undefined) continue
    const key = keyOfCell({ ...place, date })
    const first = cells.get(key)
    const currency = findCurrency(row.currency, directory)
    if (first !== undefined) warn(at, 'sheet_repeated', { first: addressOf(first.at) })
    else if (currency === undefined) {
      if (!warnedRows.has(row))
        warn(row.currency?.at ?? at, 'sheet_currency_unknown', { name: row.currency?.text ?? '' })
      warnedRows.add(row)
      sparedCells.add(key)
    } else cells.set(key, { ...place, date, sum, currency, at })
  }
  for (const { row, date } of reading.spared) {
    const place = placeOf.get(row)
    if (place === undefined) continue
    if (date === null) sparedPlaces.add(keyOfPlace(place))
    else sparedCells.add(keyOfCell({ ...place, date }))
  }
  return {
    cells: [...cells.values()],
    places,
    sparedCells,
    sparedPlaces,
    hasStrays: strays > 0,
    unreadDays: reading.unreadDays,
    isPartial,
    warnings,
  }
}

const hasKnownName = ({ stream, country }: SheetRow, { streams, countries }: Directory): boolean =>
  streams.has(plainText(stream.text)) || countries.has(plainText(country.text))

function findPlace(
  { stream, country, site }: SheetRow,
  { streams, countries }: Directory,
  warn: (name: Named, key: WarningKey) => void,
): SpendPlace | undefined {
  const streamName = plainText(stream.text)
  const streamId = streams.get(streamName)
  if (streamId === undefined) {
    // A stream of another partner is unknown, too: the log must not tell whose titles exist.
    warn(stream, 'sheet_stream_unknown')
    return undefined
  }
  const countryId = countries.get(plainText(country.text))
  if (countryId === undefined) {
    warn(country, 'sheet_country_unknown')
    return undefined
  }
  return { stream: streamId, country: countryId, site: site?.text ?? null }
}

const findCurrency = (name: Named | null, { currencies, currency }: Directory): number | undefined =>
  name === null ? (currency ?? undefined) : currencies.get(plainText(name.text))
