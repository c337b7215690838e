// A change of something that many share becomes the players, spends and maps that it concerns, written piece by piece.

import type { Clickhouse } from '../clickhouse/client.ts'
import type { Postgres } from '../postgres/client.ts'
import { type Cause, type Causes, causedBy, NO_CAUSE } from './cause.ts'
import {
  allSpends,
  keepRates,
  offerPartnersOfOffers,
  offersOfPaymentModels,
  playersByRate,
  playersOfOfferPartners,
  type RateChange,
  readRateChange,
  spendsByRate,
  spendsOfOfferPartners,
  spendsOfStreams,
} from './expansion.ts'
import type { Change } from './outbox.ts'
import type { Projection } from './projection.ts'
import { requestRebuild } from './rebuild-request.ts'
import {
  type FactsSetting,
  hasSameBase,
  hasSamePercentages,
  keepSetting,
  readKeptSetting,
  readSetting,
} from './setting.ts'

export interface WideOptions {
  readonly isUncertain: boolean
  /** Runs between two pieces; true ends the work. */
  readonly between: () => Promise<boolean>
}

interface Piece {
  readonly kind: 'players' | 'spends'
  readonly ids: readonly number[]
  readonly causes: Causes
}

/** False when it was ended early: then the changes have to be taken again. */
export async function projectWideChanges(
  postgres: Postgres,
  clickhouse: Clickhouse,
  projection: Projection,
  changes: readonly Change[],
  { isUncertain, between }: WideOptions,
): Promise<boolean> {
  await projection.refreshRates()
  const plan = await planChanges(postgres, projection, changes)
  for await (const { kind, ids, causes } of expand(postgres, clickhouse, plan)) {
    await projection[kind](ids, causes, { isUncertain })
    if (await between()) return false
  }
  for (const { change } of plan.rates) await keepRates(postgres, change)
  if (plan.percentages !== null) await keepSetting(postgres.pool, plan.percentages.setting)
  return true
}

interface Plan {
  readonly offerPartners: ReadonlyMap<number, Cause>
  readonly streams: ReadonlyMap<number, Cause>
  readonly rates: readonly { readonly change: RateChange; readonly cause: Cause }[]
  /** The settings whose percentages of the agency entered spend is to bear; null: they are the same. */
  readonly percentages: { readonly setting: FactsSetting; readonly cause: Cause } | null
}

/** One entry for each common thing, however often it has changed; the latest change is the cause. */
async function planChanges(postgres: Postgres, projection: Projection, changes: readonly Change[]): Promise<Plan> {
  const keysOf = (kind: string): Map<number, Cause> =>
    new Map(changes.filter((change) => change.kind === kind).map((change) => [change.key, change]))
  const percentages = await planSetting(postgres, lastOf(keysOf('setting')))
  const offerPartners = keysOf('link')
  const offers = keysOf('offer')
  for (const [id, cause] of keysOf('payment_model')) {
    for (const offer of await offersOfPaymentModels(postgres, [id])) offers.set(offer, cause)
  }
  await projection.map('link', [...offerPartners.keys()])
  await projection.map('offer', [...offers.keys()])
  for (const { id, offerId } of await offerPartnersOfOffers(postgres, [...offers.keys()])) {
    const cause = offers.get(offerId)
    if (cause !== undefined) offerPartners.set(id, cause)
  }
  const rates: { change: RateChange; cause: Cause }[] = []
  for (const [id, cause] of keysOf('currency')) rates.push({ change: await readRateChange(postgres, id), cause })
  return { offerPartners, streams: keysOf('stream'), rates, percentages }
}

async function* expand(
  postgres: Postgres,
  clickhouse: Clickhouse,
  { offerPartners, streams, rates, percentages }: Plan,
): AsyncGenerator<Piece> {
  for await (const players of playersOfOfferPartners(postgres, [...offerPartners.keys()])) {
    const own = new Map(players.map(({ id, offerPartnerId }) => [id, offerPartners.get(offerPartnerId) ?? NO_CAUSE]))
    yield { kind: 'players', ids: [...own.keys()], causes: causedBy(NO_CAUSE, own) }
  }
  yield* spendPieces(spendsOfOfferPartners(postgres, clickhouse, [...offerPartners.keys()]), lastOf(offerPartners))
  yield* spendPieces(spendsOfStreams(postgres, [...streams.keys()]), lastOf(streams))
  for (const { change, cause } of rates) {
    if (change.since === null) continue
    const causes = causedBy(cause)
    for await (const ids of playersByRate(postgres, change.currencyId, change.since))
      yield { kind: 'players', ids, causes }
    yield* spendPieces(spendsByRate(postgres, change.currencyId, change.since), cause)
  }
  if (percentages !== null) yield* spendPieces(allSpends(postgres), percentages.cause)
}

async function* spendPieces(pieces: AsyncGenerator<number[]>, cause: Cause): AsyncGenerator<Piece> {
  const causes = causedBy(cause)
  for await (const ids of pieces) yield { kind: 'spends', ids, causes }
}

const lastOf = (causes: ReadonlyMap<number, Cause>): Cause => [...causes.values()].at(-1) ?? NO_CAUSE

/** With another zone or report currency no fact stays as it is: that is a rebuild's work, if there is any fact. */
async function planSetting(postgres: Postgres, cause: Cause): Promise<Plan['percentages']> {
  if (cause === NO_CAUSE) return null
  const [kept, setting] = [await readKeptSetting(postgres.pool), await readSetting(postgres.pool)]
  if (kept === undefined) return null
  if (hasSameBase(kept, setting)) return hasSamePercentages(kept, setting) ? null : { setting, cause }
  const { rows } = await postgres.pool.query<{ hasFacts: boolean }>(
    'select exists (select from player) or exists (select from partner_spend) as "hasFacts"',
  )
  if (rows[0]?.hasFacts === true || kept.zone !== setting.zone) await requestRebuild(postgres, 'update setting')
  else await keepSetting(postgres.pool, setting)
  return null
}
