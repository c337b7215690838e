// Saves cells of the spend table: each on its own, against what the record holds now.

import type { SpendCellInput } from '@tributary/contract/calls/spend-table'
import { isDay } from '@tributary/contract/period'
import type { Issue } from '@tributary/contract/validate'
import type { Db, RequestContext } from '../engine/model/request-context.ts'
import { rejectClosedDays } from '../rules/closed-period.ts'
import { CellMap, type ReadonlyCellMap } from './cell-map.ts'
import { describeLock, type Ground, judgeCell, needsActivity, readGround } from './judge-cell.ts'
import { indexByOffer, otherSiteIssue, SpendsByOffer } from './other-site.ts'
import { returningIssue, settleSum } from './settle-sum.ts'
import type { CellNote, SpendCell } from './spend-cell.ts'
import {
  acceptedCurrency,
  checkSum,
  type PlaceCurrencies,
  periodOfMonth,
  readCurrencies,
  readStreams,
  showSum,
} from './spend-month.ts'
import { keyOfCell } from './spend-offer-partners.ts'
import { type ChangedSpend, type NewSpend, readSpends, type StoredSpend, writeSpends } from './spend-rows.ts'

export interface RejectedCell extends CellNote {
  /** What the cell holds, if somebody else has changed it. */
  readonly current?: StoredSpend | null
  /** The spend that somebody else has changed or deleted. */
  readonly changedId?: number | undefined
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
  const ground = await readGround(db, context.engines, streams, period)
  const emptied = new Set(cells.filter(({ base }) => base === null).map((cell) => keyOfCell(placeOf(cell))))
  const staying = spends.filter((spend) => !emptied.has(keyOfCell(spend)))
  const byOffer = indexByOffer(staying, ground)
  const taking = new CellTaking(spends, byOffer, ground, await readCurrencies(db, streams, period))
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

/** Null says that the cell was empty; without a version the last write wins. */
const isStale = (spend: StoredSpend, version: number | null | undefined): boolean =>
  version !== undefined && spend.version !== version

class CellTaking implements TakenCells {
  saved = 0
  readonly rejected: RejectedCell[] = []
  readonly warnings: CellNote[] = []
  readonly added: NewSpend[] = []
  readonly changed: ChangedSpend[] = []
  readonly removed: number[] = []
  readonly released: number[] = []
  readonly #stored: ReadonlyCellMap<StoredSpend>
  readonly #byOffer: SpendsByOffer<StoredSpend>
  readonly #given = new SpendsByOffer<NewSpend>()
  readonly #ground: Ground
  readonly #currencies: PlaceCurrencies
  readonly #taken = new Set<string>()

  constructor(
    spends: readonly StoredSpend[],
    byOffer: SpendsByOffer<StoredSpend>,
    ground: Ground,
    currencies: PlaceCurrencies,
  ) {
    this.#stored = CellMap.of(spends)
    this.#byOffer = byOffer
    this.#ground = ground
    this.#currencies = currencies
  }

  reject(place: SpendCell, issue: Issue): void {
    this.rejected.push({ place, issue })
  }

  #rejectStale(place: SpendCell, spend: StoredSpend | undefined, id?: number | null): void {
    const issue: Issue =
      spend === undefined || spend.sum === null
        ? { key: 'spend_cell_emptied' }
        : { key: 'spend_cell_changed', values: { sum: showSum(spend.sum, this.#currencies.valueOf(spend.currency)) } }
    this.rejected.push({ place, issue, current: spend ?? null, changedId: spend?.id ?? id ?? undefined })
  }

  /** Other writers have filled these cells after they were read. */
  rejectFilled(spends: readonly StoredSpend[], places: readonly SpendCell[]): void {
    const stored = CellMap.of(spends)
    const byOffer = indexByOffer(spends, this.#ground)
    for (const place of places) {
      const spend = stored.get(place)
      const offerPartner = this.#ground.offerPartners.find(place, null)
      const other = spend === undefined && offerPartner && byOffer.other(place, offerPartner.id)
      if (other) this.reject(place, otherSiteIssue(other, this.#currencies))
      else this.#rejectStale(place, spend)
    }
    this.saved -= places.length
  }

  take(place: SpendCell, cell: SpendCellInput): void {
    const { base, version } = cell
    const key = keyOfCell(place)
    const spend = this.#stored.get(place)
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
    else this.#fill(place, spend, { ...cell, base })
  }

  #empty(place: SpendCell, spend: StoredSpend | undefined, version: number | null | undefined): void {
    const isFilled = spend !== undefined && spend.sum !== null
    if (isFilled && isStale(spend, version)) this.#rejectStale(place, spend)
    else {
      this.saved += 1
      if (!isFilled) return
      const losing = spend.claim === null ? this.removed : this.released
      losing.push(spend.id)
      const issue = returningIssue(spend, this.#currencies)
      if (issue !== null) this.warnings.push({ place, issue })
    }
  }

  #fill(
    place: SpendCell,
    spend: StoredSpend | undefined,
    { base: sum, version, id, currency: given }: SpendCellInput & { readonly base: string },
  ): void {
    const currency = given ?? acceptedCurrency(spend) ?? this.#currencies.of(place)
    const isRaised = needsActivity(spend, { sum, currency })
    const { offerPartner, lock } = judgeCell(this.#ground, place, spend?.offerPartner ?? null, isRaised)
    if (this.#currencies.valueOf(currency) === '') {
      this.reject(place, { key: 'reference_missing' })
      return
    }
    if (spend === undefined) {
      if ((version ?? null) !== null) {
        this.#rejectStale(place, spend, id)
        return
      }
      if (lock !== null || offerPartner === undefined) {
        this.reject(place, describeLock(lock ?? 'spend_link_missing', offerPartner, place, this.#ground))
        return
      }
      const other = this.#byOffer.other(place, offerPartner.id) ?? this.#given.other(place, offerPartner.id)
      if (other !== undefined) {
        this.reject(place, otherSiteIssue(other, this.#currencies))
        return
      }
      const added = { ...place, sum, currency, offerPartner: offerPartner.id }
      this.added.push(added)
      this.#given.add(added, offerPartner.id)
    } else {
      const accepted = { sum, currency, offerPartner: offerPartner?.id ?? 0, source: 'manual' } as const
      const settled = settleSum(spend, accepted, this.#currencies)
      if (settled.change !== null) {
        if (!settled.isSourceOnly && isStale(spend, version)) {
          this.#rejectStale(place, spend)
          return
        }
        const other = spend.sum === null && offerPartner && this.#byOffer.other(place, offerPartner.id)
        const issue =
          lock !== null
            ? describeLock(lock, offerPartner, place, this.#ground)
            : other && otherSiteIssue(other, this.#currencies)
        if (issue && !settled.isSourceOnly) {
          this.reject(place, issue)
          return
        }
        this.changed.push(settled.change)
        for (const issue of settled.warnings) this.warnings.push({ place, issue })
      }
    }
    this.saved += 1
  }
}
