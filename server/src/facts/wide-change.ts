// Projects changes of shared rows (partner offers, offers, payment models, rates, settings): rewrites the facts of all players and spends
// that depend on them, piece by piece.

import type { Clickhouse } from '../clickhouse/client.ts'
import type { Postgres } from '../postgres/client.ts'
import { type Cause, type Causes, causedBy, NO_CAUSE } from './cause.ts'
import {
  allSpends,
  offerPartnersOfOffers,
  offersOfPaymentModels,
  playersByRate,
  playersOfOfferPartners,
  type RateChange,
  readRateChange,
  spendsByRate,
  spendsOfOfferPartners,
  spendsOfStreams,
  storeRates,
} from './expansion.ts'
import type { Change } from './outbox.ts'
import type { Projection } from './projection.ts'
import { requestRebuild } from './rebuild-request.ts'
import {
  type FactsSetting,
  hasSameBase,
  hasSamePercentages,
  readAppliedSetting,
  readSetting,
  storeAppliedSetting,
} from './setting.ts'

/** How a wide change is applied. */
export interface WideChangeOptions {
  /** An earlier attempt at these changes may have written some rows. */
  readonly isUncertain: boolean
  /** Runs after each piece; true ends the work early. */
  readonly between: () => Promise<boolean>
}

interface Piece {
  readonly kind: 'players' | 'spends'
  readonly ids: readonly number[]
  readonly causes: Causes
}

/** Returns false if it was ended early; the changes then have to be projected again. */
export async function projectWideChanges(
  postgres: Postgres,
  clickhouse: Clickhouse,
  projection: Projection,
  changes: readonly Change[],
  { isUncertain, between }: WideChangeOptions,
): Promise<boolean> {
  await projection.refreshRates()
  const affected = await findAffected(postgres, projection, changes)
  for await (const { kind, ids, causes } of expandToPieces(postgres, clickhouse, affected)) {
    await projection[kind](ids, causes, { isUncertain })
    if (await between()) return false
  }
  for (const { change } of affected.rates) await storeRates(postgres, change)
  if (affected.percentages !== null) await storeAppliedSetting(postgres.pool, affected.percentages.setting)
  return true
}

interface AffectedKeys {
  readonly offerPartners: ReadonlyMap<number, Cause>
  readonly streams: ReadonlyMap<number, Cause>
  readonly rates: readonly { readonly change: RateChange; readonly cause: Cause }[]
  /** The settings with new agency percentages, which change entered spend; null if the percentages are unchanged. */
  readonly percentages: { readonly setting: FactsSetting; readonly cause: Cause } | null
}

/**
 * Collects the affected keys and writes the maps of their partner offers and offers. Each key has one cause: its last change of that kind;
 * a payment model overrides the cause of its offers, and an offer that of its partner offers.
 */
async function findAffected(
  postgres: Postgres,
  projection: Projection,
  changes: readonly Change[],
): Promise<AffectedKeys> {
  const causesByKey = (kind: string): Map<number, Cause> =>
    new Map(changes.filter((change) => change.kind === kind).map((change) => [change.key, change]))
  const percentages = await handleSettingChange(postgres, lastCause(causesByKey('setting')))
  // The outbox stores partner offers under the kind `link`.
  const offerPartners = causesByKey('link')
  const offers = causesByKey('offer')
  for (const [id, cause] of causesByKey('payment_model')) {
    for (const offer of await offersOfPaymentModels(postgres, [id])) offers.set(offer, cause)
  }
  await projection.map('offer_partner', [...offerPartners.keys()])
  await projection.map('offer', [...offers.keys()])
  for (const { id, offerId } of await offerPartnersOfOffers(postgres, [...offers.keys()])) {
    const cause = offers.get(offerId)
    if (cause !== undefined) offerPartners.set(id, cause)
  }
  const rates: { change: RateChange; cause: Cause }[] = []
  for (const [id, cause] of causesByKey('currency')) rates.push({ change: await readRateChange(postgres, id), cause })
  return { offerPartners, streams: causesByKey('stream'), rates, percentages }
}

async function* expandToPieces(
  postgres: Postgres,
  clickhouse: Clickhouse,
  { offerPartners, streams, rates, percentages }: AffectedKeys,
): AsyncGenerator<Piece> {
  for await (const players of playersOfOfferPartners(postgres, [...offerPartners.keys()])) {
    const byPlayer = new Map(
      players.map(({ id, offerPartnerId }) => [id, offerPartners.get(offerPartnerId) ?? NO_CAUSE]),
    )
    yield { kind: 'players', ids: [...byPlayer.keys()], causes: causedBy(NO_CAUSE, byPlayer) }
  }
  yield* spendPieces(spendsOfOfferPartners(postgres, clickhouse, [...offerPartners.keys()]), lastCause(offerPartners))
  yield* spendPieces(spendsOfStreams(postgres, [...streams.keys()]), lastCause(streams))
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

/** The cause of the key that was added to the map last. */
const lastCause = (causes: ReadonlyMap<number, Cause>): Cause => [...causes.values()].at(-1) ?? NO_CAUSE

/** Returns new agency percentages. Another report currency requests a rebuild if there are facts; another zone does so in any case. */
async function handleSettingChange(postgres: Postgres, cause: Cause): Promise<AffectedKeys['percentages']> {
  if (cause === NO_CAUSE) return null
  const [applied, setting] = [await readAppliedSetting(postgres.pool), await readSetting(postgres.pool)]
  if (applied === undefined) return null
  if (hasSameBase(applied, setting)) return hasSamePercentages(applied, setting) ? null : { setting, cause }
  const { rows } = await postgres.pool.query<{ hasFacts: boolean }>(
    'select exists (select from player) or exists (select from partner_spend) as "hasFacts"',
  )
  if (rows[0]?.hasFacts === true || applied.zone !== setting.zone) await requestRebuild(postgres, 'update setting')
  else await storeAppliedSetting(postgres.pool, setting)
  return null
}
