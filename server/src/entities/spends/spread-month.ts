// Replaces the accepted sums of a month by a total that is spread over days with activity: whole, or not at all.

import { parseMoney } from '@tributary/contract/money'
import { sql } from 'kysely'
import { AppError, invalidField } from '../../lib/app-error.ts'
import type { Db, RequestContext } from '../engine/model/request-context.ts'
import { rejectClosedDays } from '../rules/closed-period.ts'
import { CellMap } from './cell-map.ts'
import { type Ground, judgeCell, readGround } from './judge-cell.ts'
import { returningIssue, settleSum } from './settle-sum.ts'
import type { CellNote, SpendCell } from './spend-cell.ts'
import { checkSum, daysOf, type PlaceCurrencies, periodOfMonth, readCurrencies } from './spend-month.ts'
import type { SpendOfferPartner } from './spend-offer-partners.ts'
import { type ChangedSpend, type NewSpend, readSpends, type StoredSpend, writeSpends } from './spend-rows.ts'
import { spread } from './spread.ts'

export interface Total {
  readonly month: string
  readonly base: string
  readonly currency?: number | undefined
}

export interface SpreadResult {
  readonly saved: number
  readonly removed: number
  readonly currency: string
  /** Sums that differ from a claim come first. */
  readonly warnings: readonly CellNote[]
}

/** `country` null: all countries of the streams. Throws `invalid` if no day takes spend, `period_closed` if the month is closed. */
export async function spreadMonth(
  db: Db,
  context: RequestContext,
  streams: readonly number[],
  country: number | null,
  { month, base, currency: chosen }: Total,
): Promise<SpreadResult> {
  const issue = checkSum(base)
  if (issue !== null) throw new AppError('invalid', { issues: { base: [issue] } })
  await waitForOthers(db, streams)
  const period = periodOfMonth(month)
  for (const stream of streams) await rejectClosedDays(db, context, { stream }, [period])
  const stored = (await readSpends(db, streams, period, true)).filter(
    (spend) => country === null || spend.country === country,
  )
  const currencies = await readCurrencies(db, streams, period)
  const currency =
    chosen ??
    (country === null ? undefined : streams.map((stream) => currencies.of({ stream, country, site: null }))[0]) ??
    currencies.standard
  if (currencies.valueOf(currency) === '') throw invalidField('currency', 'reference_missing')
  const ground = await readGround(db, context.engines, streams, period)
  const bySite = new Set(
    [...stored, ...currencies.recent].flatMap((spend) => (spend.site === null ? [] : wholeKey(spend))),
  )
  const cells = fittingCells(ground, daysOf(period), country, bySite)
  if (cells.length === 0) throw invalidField('month', 'spread_no_day')
  const shares = spread(
    parseMoney(base) ?? 0n,
    cells.map(({ place }) => ground.activity.get(place) ?? { clicks: 0, registrations: 0 }),
  )
  const { warnings, ...changes } = planSpread(stored, cells, shares, currency, currencies)
  const taken = await writeSpends(db, context, { source: 'manual', ...changes })
  // Somebody has filled one of the cells since they were read: the total would be wrong.
  if (taken.length > 0) throw new AppError('conflict', { issues: { month: [{ key: 'spend_month_changed' }] } })
  const { removed, released } = changes
  return {
    saved: cells.length,
    removed: removed.length + released.length,
    currency: currencies.valueOf(currency),
    warnings: [...warnings.filter(isOfClaim), ...warnings.filter((warning) => !isOfClaim(warning))],
  }
}

/** Totals of a stream are spread one after the other, in one order of streams: the last one replaces those before it. */
async function waitForOthers(db: Db, streams: readonly number[]): Promise<void> {
  const ids = streams.toSorted((a, b) => a - b)
  await sql`select pg_advisory_xact_lock(hashtext('spread'), id) from unnest(${ids}::int[]) as id`.execute(db)
}

const isOfClaim = ({ issue }: CellNote): boolean => issue.key === 'spend_conflict'

interface FittingCell {
  readonly place: SpendCell
  readonly offerPartner: SpendOfferPartner
}

const wholeKey = ({ stream, country }: Pick<SpendCell, 'stream' | 'country'>): string => `${stream} ${country}`

/**
 * Days with activity of AGENCY partner offers, by day. By site where spends were entered by site lately (`bySite`) or several partner offers share
 * the stream and country; else each stream and country once.
 */
function fittingCells(
  ground: Ground,
  days: readonly string[],
  country: number | null,
  bySite: ReadonlySet<string>,
): FittingCell[] {
  const own = ground.offerPartners.all.filter((offerPartner) => country === null || offerPartner.country === country)
  const groups = [...Map.groupBy(own, wholeKey)].map(([key, offerPartners]) => {
    const { stream, country: of } = offerPartners[0] ?? { stream: 0, country: 0 }
    const sites = [...new Set(offerPartners.map(({ site }) => site).filter((site) => site !== ''))].toSorted()
    return { stream, country: of, sites: bySite.has(key) || sites.length > 1 ? sites : [] }
  })
  const sorted = groups.toSorted((a, b) => a.stream - b.stream || a.country - b.country)
  return days.flatMap((day) =>
    sorted.flatMap(({ sites, ...group }): FittingCell[] => {
      const cellsOf = (site: string | null): FittingCell[] => {
        const place = { ...group, site, day }
        const { offerPartner, lock } = judgeCell(ground, place, null, true)
        return lock === null && offerPartner !== undefined ? [{ place, offerPartner }] : []
      }
      const fitting = sites.flatMap(cellsOf)
      return fitting.length > 0 ? fitting : cellsOf(null)
    }),
  )
}

interface SpreadChanges {
  readonly added: NewSpend[]
  readonly changed: ChangedSpend[]
  readonly removed: number[]
  readonly released: number[]
  readonly warnings: CellNote[]
}

function planSpread(
  stored: readonly StoredSpend[],
  cells: readonly FittingCell[],
  shares: readonly string[],
  currency: number,
  currencies: PlaceCurrencies,
): SpreadChanges {
  const byCell = CellMap.of(stored)
  const changes: SpreadChanges = { added: [], changed: [], removed: [], released: [], warnings: [] }
  const kept = new Set<number>()
  for (const [index, { place, offerPartner }] of cells.entries()) {
    const sum = shares[index] ?? '0'
    const spend = byCell.get(place)
    if (spend === undefined) changes.added.push({ ...place, sum, currency, offerPartner: offerPartner.id })
    else {
      kept.add(spend.id)
      const given = { sum, currency, offerPartner: offerPartner.id }
      const { change, warnings } = settleSum(spend, { ...given, source: 'manual' }, currencies)
      if (change !== null) changes.changed.push(change)
      for (const issue of warnings) changes.warnings.push({ place, issue })
    }
  }
  for (const spend of stored) {
    const { id, sum, claim, stream, country, site, day } = spend
    if (kept.has(id) || sum === null) continue
    if (claim === null) changes.removed.push(id)
    else changes.released.push(id)
    const issue = returningIssue(spend, currencies)
    if (issue !== null) changes.warnings.push({ place: { stream, country, site, day }, issue })
  }
  return changes
}
