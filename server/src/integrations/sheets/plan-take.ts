// Decides which spends of the month a tab adds, changes and removes. Pure; planning the same sheet again changes nothing.

import { parseMoney } from '@tributary/contract/money'
import { addressOf, type Grid, type Place } from './grid.ts'
import { keyOfCell, keyOfPlace, type Placed, type PlacedCell, type SpendPlace } from './place-cells.ts'
import { type SheetWarning, WARNINGS_CAP, type WarningKey, warningAt } from './sheet-warning.ts'

/** A spend of the partner in that month, of any source. */
export interface KnownSpend extends SpendPlace {
  readonly id: number
  readonly date: string
  /** Null if the row has only a claim. */
  readonly sum: string | null
  readonly currency: number
  readonly source: 'manual' | 'import' | 'sheet'
  /** What the partner claims, in the claim's own currency. */
  readonly claim: string | null
  readonly claimCurrency: number | null
  readonly isActive: boolean
  readonly offerPartner: number | null
  /** The spreadsheet that the spend comes from; null if it is unknown. */
  readonly file: string | null
}

/** How the rules of spends judge a new or changed cell: its partner offer, or why it is rejected. */
export type Verdict =
  | { readonly offerPartner: number }
  | { readonly rejected: WarningKey; readonly values: Readonly<Record<string, string>> }

export interface TakeInput {
  readonly grid: Pick<Grid, 'title' | 'id'>
  readonly file: string
  /** The partner's other parsed spreadsheets. */
  readonly otherFiles: ReadonlySet<string>
  readonly placed: Placed
  readonly known: readonly KnownSpend[]
  /** The codes of currencies by id: EUR. */
  readonly currencies: ReadonlyMap<number, string>
  /** By keyOfCell. Cells without a verdict are left as they are. */
  readonly verdicts: ReadonlyMap<string, Verdict>
  /** Allows a parse that removes more than REMOVAL_LIMIT_PERCENT. */
  readonly takesRemovals: boolean
}

export interface NewSpend extends PlacedCell {
  readonly offerPartner: number
}

export interface ChangedSpend {
  readonly id: number
  readonly sum: string
  readonly currency: number
  readonly offerPartner: number
}

export interface TakePlan {
  readonly added: readonly NewSpend[]
  readonly changed: readonly ChangedSpend[]
  readonly removed: readonly number[]
  /** Rows with a claim: the sum is removed and the claim stays. */
  readonly released: readonly number[]
  /** Equal rows that came from another spreadsheet and now belong to this one. */
  readonly adopted: readonly number[]
  readonly unchanged: number
  readonly warnings: readonly SheetWarning[]
}

/** The row names a place without a partner offer: its names may be mistyped, like those of a stray row. */
const MISPLACED: readonly WarningKey[] = ['sheet_link_missing', 'sheet_site_missing']

/** A parse that removes more than this share of the month's sum is probably a mistake. */
const REMOVAL_LIMIT_PERCENT = 30n

export function planTake(input: TakeInput): TakePlan {
  const known = new Map(input.known.map((spend) => [keyOfCell(spend), spend]))
  const plan = new Planner(input, known)
  for (const cell of input.placed.cells) plan.take(cell, known.get(keyOfCell(cell)))
  for (const spend of input.known) if (plan.isGone(spend)) plan.remove(spend)
  return plan.finish()
}

/** New and changed cells, which the rules of spends must judge. */
export function cellsToJudge(input: Omit<TakeInput, 'currencies' | 'verdicts' | 'takesRemovals'>): PlacedCell[] {
  const known = new Map(input.known.map((spend) => [keyOfCell(spend), spend]))
  return input.placed.cells.filter((cell) => {
    const spend = known.get(keyOfCell(cell))
    return spend === undefined || spend.sum === null || (isOwn(input, spend) && !isEqual(cell, spend))
  })
}

const offerKey = ({ stream, country, date }: SpendPlace & { readonly date: string }, offerPartner: number | null) =>
  `${stream} ${country} ${offerPartner} ${date}`

const isEqual = (cell: PlacedCell, { sum, currency }: KnownSpend): boolean =>
  sum !== null && parseMoney(cell.sum) === parseMoney(sum) && cell.currency === currency

/** True if the spend comes from this spreadsheet, or from one that is no longer parsed. */
const isOwn = ({ file, otherFiles }: Pick<TakeInput, 'file' | 'otherFiles'>, spend: KnownSpend): boolean =>
  spend.source === 'sheet' && spend.sum !== null && (spend.file === file || !otherFiles.has(spend.file ?? ''))

class Planner {
  readonly #input: TakeInput
  readonly #known: ReadonlyMap<string, KnownSpend>
  readonly #keys: ReadonlyMap<string, PlacedCell>
  /** By `offerKey`: the spends of the month, and the cells that are added. */
  readonly #byOffer: ReadonlyMap<string, readonly KnownSpend[]>
  readonly #given = new Map<string, PlacedCell>()
  /** By id, own spends whose cell the tab has with another site by now, or without one. */
  readonly #moved = new Map<number, PlacedCell>()
  readonly #added: NewSpend[] = []
  readonly #changed: ChangedSpend[] = []
  readonly #removed: KnownSpend[] = []
  readonly #adopted: number[] = []
  readonly #warnings: SheetWarning[] = []
  /** By currency, the sum that the plan removes from the sheet's own spends. */
  readonly #losses = new Map<number, bigint>()
  /** True if any missing row may be one of the tab's rows, under other names. */
  #hasStrays: boolean
  #lowered = 0
  #unchanged = 0

  constructor(input: TakeInput, known: ReadonlyMap<string, KnownSpend>) {
    this.#input = input
    this.#known = known
    this.#hasStrays = input.placed.hasStrays
    this.#keys = new Map(input.placed.cells.map((cell) => [keyOfCell(cell), cell]))
    this.#byOffer = Map.groupBy(
      input.known.filter(({ sum, isActive }) => sum !== null && isActive),
      (spend) => offerKey(spend, spend.offerPartner),
    )
  }

  #warn(at: Place | null, key: WarningKey, values: Readonly<Record<string, string>>): void {
    if (this.#warnings.length < WARNINGS_CAP) this.#warnings.push(warningAt(this.#input.grid, at, key, values))
  }

  take(cell: PlacedCell, spend: KnownSpend | undefined): void {
    const verdict = this.#input.verdicts.get(keyOfCell(cell))
    const isFree = spend === undefined || spend.sum === null
    if (spend?.isActive === false) this.#warn(cell.at, 'sheet_spend_off', {})
    else if (!isFree && !isOwn(this.#input, spend)) this.#keepOther(cell, spend)
    else if (!isFree && isEqual(cell, spend)) {
      this.#unchanged += 1
      this.#compareClaim(cell, spend)
      if (spend.file !== this.#input.file) this.#adopted.push(spend.id)
    } else if (verdict !== undefined && 'rejected' in verdict) this.#reject(cell, spend, verdict)
    else if (verdict !== undefined && !(isFree && this.#standsElsewhere(cell, verdict.offerPartner)))
      this.#write(cell, spend, verdict.offerPartner)
  }

  /** A partner offer has one spend a day, with the site or without it. True if another one than this cell counts. */
  #standsElsewhere(cell: PlacedCell, offerPartner: number): boolean {
    const key = offerKey(cell, offerPartner)
    const others = (this.#byOffer.get(key) ?? []).filter(({ site }) => site !== cell.site)
    const foreign = others.find((spend) => !isOwn(this.#input, spend))
    const repeated = this.#given.get(key) ?? others.flatMap((spend) => this.#keys.get(keyOfCell(spend)) ?? [])[0]
    if (foreign !== undefined) this.#keepOther(cell, foreign)
    else if (repeated !== undefined) this.#warn(cell.at, 'sheet_repeated', { first: addressOf(repeated.at) })
    else {
      this.#given.set(key, cell)
      for (const { id } of others) this.#moved.set(id, cell)
    }
    return foreign !== undefined || repeated !== undefined
  }

  /** Keeps a spend of another source: manual entry and imports take precedence over sheets. */
  #keepOther(cell: PlacedCell, spend: KnownSpend): void {
    if (isEqual(cell, spend)) this.#unchanged += 1
    else if (spend.source === 'sheet')
      this.#warn(cell.at, 'sheet_conflict_file', { ...this.#amountsOf(cell, spend), file: spend.file ?? '' })
    else this.#warn(cell.at, `sheet_conflict_${spend.source}`, this.#amountsOf(cell, spend))
  }

  /** Warns of a rejected cell, except of a zero without a stored spend, which changes nothing. */
  #reject(cell: PlacedCell, spend: KnownSpend | undefined, verdict: Extract<Verdict, { rejected: WarningKey }>): void {
    if (spend === undefined && parseMoney(cell.sum) === 0n) return
    this.#warn(cell.at, verdict.rejected, verdict.values)
    if (MISPLACED.includes(verdict.rejected)) this.#hasStrays = true
  }

  #write(cell: PlacedCell, spend: KnownSpend | undefined, offerPartner: number): void {
    if (spend === undefined) this.#added.push({ ...cell, offerPartner })
    else {
      this.#compareClaim(cell, spend)
      this.#changed.push({ id: spend.id, sum: cell.sum, currency: cell.currency, offerPartner })
      const loss = spend.currency === cell.currency ? moneyOf(spend.sum) - moneyOf(cell.sum) : 0n
      if (loss > 0n) this.#lowered += 1
      this.#lose(spend, loss)
    }
  }

  #compareClaim(cell: PlacedCell, { claim, claimCurrency }: KnownSpend): void {
    if (claim === null || (parseMoney(claim) === parseMoney(cell.sum) && claimCurrency === cell.currency)) return
    const [sum, told] = [this.#show(cell.sum, cell.currency), this.#show(claim, claimCurrency)]
    this.#warn(cell.at, 'sheet_conflict_claim', { sum, claim: told })
  }

  /** An amount for messages: two digits after the point or more, and its currency. */
  #show(sum: string, currency: number | null): string {
    return `${sum.replace(/0{1,2}$/, '')} ${this.#input.currencies.get(currency ?? 0) ?? ''}`.trim()
  }

  #amountsOf(cell: PlacedCell, spend: KnownSpend): { sum: string; kept: string } {
    return { sum: this.#show(cell.sum, cell.currency), kept: this.#show(spend.sum ?? '', spend.currency) }
  }

  #lose({ currency }: KnownSpend, loss: bigint): void {
    if (loss > 0n) this.#losses.set(currency, (this.#losses.get(currency) ?? 0n) + loss)
  }

  /** True if the tab no longer has a spend that came from it. Spends of unreadable cells stay. */
  isGone(spend: KnownSpend): boolean {
    const { places, sparedCells, sparedPlaces, unreadDays, isPartial } = this.#input.placed
    const [key, place] = [keyOfCell(spend), keyOfPlace(spend)]
    const isUnread = isPartial || unreadDays.has(spend.date) || sparedCells.has(key) || sparedPlaces.has(place)
    const isInTab = this.#keys.has(key) || isUnread
    const mayGo = spend.isActive && isOwn(this.#input, spend)
    return this.#moved.has(spend.id) || (!isInTab && mayGo && (places.has(place) || !this.#hasStrays))
  }

  remove(spend: KnownSpend): void {
    this.#removed.push(spend)
    const moved = this.#moved.get(spend.id)
    const kept = moved?.currency === spend.currency ? moneyOf(moved.sum) : 0n
    this.#lose(spend, moneyOf(spend.sum) - kept)
  }

  finish(): TakePlan {
    const doubt = this.#input.takesRemovals ? null : this.#findDoubt()
    if (doubt !== null) return this.#takeNothing(doubt)
    return {
      added: this.#added,
      changed: this.#changed,
      removed: this.#removed.filter(({ claim }) => claim === null).map(({ id }) => id),
      released: this.#removed.filter(({ claim }) => claim !== null).map(({ id }) => id),
      adopted: this.#adopted,
      unchanged: this.#unchanged,
      warnings: this.#warnings,
    }
  }

  #removesMuch(): boolean {
    return [...this.#losses].some(([currency, loss]) => {
      const own = [...this.#known.values()].filter((spend) => spend.currency === currency && isOwn(this.#input, spend))
      const sum = own.reduce((total, spend) => total + moneyOf(spend.sum), 0n)
      return loss * 100n > sum * REMOVAL_LIMIT_PERCENT
    })
  }

  /** Why the tab is probably not what its author meant; null if nothing speaks against it. */
  #findDoubt(): SheetWarning | null {
    const { grid } = this.#input
    const lostSites = this.#countLostSites()
    if (lostSites > 0) return warningAt(grid, null, 'sheet_sites_gone', { rows: String(lostSites) })
    if (!this.#removesMuch()) return null
    const rows = String(this.#removed.length + this.#lowered)
    return warningAt(grid, null, 'sheet_removes_much', { percent: String(REMOVAL_LIMIT_PERCENT), rows })
  }

  /** The spends that would lose their site in a tab that names none: its column was probably renamed or removed. */
  #countLostSites(): number {
    if (this.#input.placed.cells.some(({ site }) => site !== null)) return 0
    return this.#input.known.filter(({ id, site }) => site !== null && this.#moved.has(id)).length
  }

  #takeNothing(why: SheetWarning): TakePlan {
    this.#warnings.unshift(why)
    return { added: [], changed: [], removed: [], released: [], adopted: [], unchanged: 0, warnings: this.#warnings }
  }
}

const moneyOf = (sum: string | null): bigint => parseMoney(sum ?? '') ?? 0n
