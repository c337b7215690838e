// Saves cells of the spend table: each on its own, against what the record holds now.

import type { SpendCellInput } from '@tributary/contract/calls/spend-table'
import { isDay } from '@tributary/contract/period'
import type { Issue } from '@tributary/contract/validate'
import type { Db, RequestContext } from '../engine/model/request-context.ts'
import { rejectClosedDays } from '../rules/closed-period.ts'
import { describeLock, type Ground, judgeCell, readGround } from './judge-cell.ts'
import { settleSum } from './settle-sum.ts'
import type { SpendCell } from './spend-cell.ts'
import { checkSum, type PlaceCurrencies, periodOfMonth, readCurrencies, readStreams } from './spend-month.ts'
import { keyOfCell } from './spend-offer-partners.ts'
import { type ChangedSpend, type NewSpend, readSpends, type StoredSpend, writeSpends } from './spend-rows.ts'

export interface CellNote {
  readonly place: SpendCell
  readonly issue: Issue
}

export interface RejectedCell extends CellNote {
  /** What the cell holds, if somebody else has changed it. */
  readonly current?: StoredSpend | null
}

export interface TakenCells {
  readonly saved: number
  readonly rejected: readonly RejectedCell[]
  readonly warnings: readonly CellNote[]
}

const placeOf = ({ stream, country, site_id, date }: SpendCellInput): SpendCell => ({
  stream,
  country,
  site: site_id?.trim() || null,
  day: date,
})

/** Takes cells of the partner's month ('YYYY-MM') within a transaction. Throws `period_closed` if that month is closed. */
export async function takeCells(
  db: Db,
  context: RequestContext,
  partner: number,
  month: string,
  cells: readonly SpendCellInput[],
): Promise<TakenCells> {
  const period = periodOfMonth(month)
  await rejectClosedDays(db, context, { partner }, [period])
  const own = await readStreams(db, partner)
  const streams = [...new Set(cells.map(({ stream }) => stream).filter((id) => own.has(id)))]
  const spends = await readSpends(db, streams, period, true)
  const kept = spends.flatMap(({ offerPartner }) => offerPartner ?? [])
  const ground = await readGround(db, context.engines, streams, period, [...new Set(kept)])
  const taking = new CellTaking(spends, ground, await readCurrencies(db, streams, period))
  for (const cell of cells) {
    const place = placeOf(cell)
    if (!own.has(cell.stream)) taking.reject(place, { key: 'reference_missing' })
    else if (!isDay(cell.date)) taking.reject(place, { key: 'date_invalid' })
    else if (cell.date < period.from || cell.date > period.to) taking.reject(place, { key: 'spend_outside_month' })
    else taking.take(place, cell)
  }
  const { added, changed, removed, released } = taking
  const filled = await writeSpends(db, context, { source: 'manual', added, changed, removed, released })
  if (filled.length > 0) taking.rejectFilled(await readSpends(db, streams, period), filled)
  return taking
}

class CellTaking implements TakenCells {
  saved = 0
  readonly rejected: RejectedCell[] = []
  readonly warnings: CellNote[] = []
  readonly added: NewSpend[] = []
  readonly changed: ChangedSpend[] = []
  readonly removed: number[] = []
  readonly released: number[] = []
  readonly #stored: ReadonlyMap<string, StoredSpend>
  readonly #ground: Ground
  readonly #currencies: PlaceCurrencies
  readonly #taken = new Set<string>()

  constructor(spends: readonly StoredSpend[], ground: Ground, currencies: PlaceCurrencies) {
    this.#stored = new Map(spends.map((spend) => [keyOfCell(spend), spend]))
    this.#ground = ground
    this.#currencies = currencies
  }

  reject(place: SpendCell, issue: Issue): void {
    this.rejected.push({ place, issue })
  }

  #rejectStale(place: SpendCell, spend: StoredSpend | undefined): void {
    const issue: Issue =
      spend === undefined || spend.sum === null
        ? { key: 'spend_cell_emptied' }
        : { key: 'spend_cell_changed', values: { sum: spend.sum } }
    this.rejected.push({ place, issue, current: spend ?? null })
  }

  /** Other writers have filled these cells after they were read. */
  rejectFilled(spends: readonly StoredSpend[], places: readonly SpendCell[]): void {
    const stored = new Map(spends.map((spend) => [keyOfCell(spend), spend]))
    for (const place of places) this.#rejectStale(place, stored.get(keyOfCell(place)))
    this.saved -= places.length
  }

  take(place: SpendCell, { base, version }: SpendCellInput): void {
    const key = keyOfCell(place)
    const spend = this.#stored.get(key)
    const issue = base === null ? null : checkSum(base)
    if (issue !== null) {
      this.reject(place, issue)
      return
    }
    if (this.#taken.has(key)) {
      this.reject(place, { key: 'spend_repeated' })
      return
    }
    this.#taken.add(key)
    if (base === null) this.#empty(place, spend, version)
    else this.#fill(place, spend, base, version)
  }

  #empty(place: SpendCell, spend: StoredSpend | undefined, version: number | null | undefined): void {
    const isFilled = spend !== undefined && spend.sum !== null
    if (isFilled && spend.version !== (version ?? null)) this.#rejectStale(place, spend)
    else {
      this.saved += 1
      if (isFilled) (spend.claim === null ? this.removed : this.released).push(spend.id)
    }
  }

  #fill(place: SpendCell, spend: StoredSpend | undefined, sum: string, version: number | null | undefined): void {
    const { offerPartner, lock } = judgeCell(this.#ground, place, spend?.offerPartner ?? null, spend === undefined)
    const currency = spend?.currency ?? this.#currencies.of(place)
    if (spend === undefined) {
      if ((version ?? null) !== null) {
        this.#rejectStale(place, spend)
        return
      }
      if (lock !== null || offerPartner === undefined) {
        this.reject(place, describeLock(lock ?? 'spend_link_missing', offerPartner, place.day))
        return
      }
      this.added.push({ ...place, sum, currency, offerPartner: offerPartner.id })
    } else {
      const settled = settleSum(spend, { sum, currency, offerPartner: offerPartner?.id ?? 0, source: 'manual' })
      if (settled.change !== null) {
        if (spend.version !== (version ?? null)) {
          this.#rejectStale(place, spend)
          return
        }
        if (lock !== null) {
          this.reject(place, describeLock(lock, offerPartner, place.day))
          return
        }
        this.changed.push(settled.change)
        for (const issue of settled.warnings) this.warnings.push({ place, issue })
      }
    }
    this.saved += 1
  }
}
