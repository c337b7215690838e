// A change of something that many share becomes the players, spends and maps that it concerns, written piece by piece.

import type { Clickhouse } from '../clickhouse/client.ts'
import type { Postgres } from '../postgres/client.ts'
import { type Cause, causedBy } from './cause.ts'
import {
  keepRates,
  linksOfOffers,
  offersOfPaymentModels,
  playersByRate,
  playersOfLink,
  readRateChange,
  spendsByRate,
  spendsOfLink,
  spendsOfStream,
} from './expansion.ts'
import type { Change } from './outbox.ts'
import type { Projection } from './projection.ts'
import { requestRebuild } from './rebuild-request.ts'
import { isSameSetting, readKeptSetting, readSetting } from './setting.ts'

export interface WideOptions {
  readonly isUncertain: boolean
  /** Runs between two pieces; true ends the work. */
  readonly between: () => Promise<boolean>
}

interface Work {
  readonly kind: 'players' | 'spends'
  readonly pieces: AsyncGenerator<number[]>
  readonly cause: Cause
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
  const { works, finish } = await plan(postgres, clickhouse, projection, changes)
  for (const { kind, pieces, cause } of works) {
    for await (const ids of pieces) {
      await projection[kind](ids, causedBy(cause), { isUncertain })
      if (await between()) return false
    }
  }
  await finish()
  return true
}

interface Plan {
  readonly works: readonly Work[]
  /** When everything is written. */
  readonly finish: () => Promise<void>
}

/** One entry for each common thing, however often it has changed; the latest change is the cause. */
async function plan(
  postgres: Postgres,
  clickhouse: Clickhouse,
  projection: Projection,
  changes: readonly Change[],
): Promise<Plan> {
  const keysOf = (kind: string): Map<number, Cause> =>
    new Map(changes.filter((change) => change.kind === kind).map((change) => [change.key, change]))
  const links = keysOf('link')
  const offers = keysOf('offer')
  for (const [id, cause] of keysOf('payment_model')) {
    for (const offer of await offersOfPaymentModels(postgres, [id])) offers.set(offer, cause)
  }
  await projection.map('link', [...links.keys()])
  await projection.map('offer', [...offers.keys()])
  for (const [id, cause] of offers) {
    for (const link of await linksOfOffers(postgres, [id])) links.set(link, cause)
  }
  const works: Work[] = []
  for (const [id, cause] of links) {
    works.push({ kind: 'players', pieces: playersOfLink(postgres, id), cause })
    works.push({ kind: 'spends', pieces: spendsOfLink(postgres, clickhouse, id), cause })
  }
  for (const [id, cause] of keysOf('stream'))
    works.push({ kind: 'spends', pieces: spendsOfStream(postgres, id), cause })
  const rateChanges = await Promise.all([...keysOf('currency').keys()].map((id) => readRateChange(postgres, id)))
  for (const { currencyId, since } of rateChanges) {
    const cause = keysOf('currency').get(currencyId)
    if (since === null || cause === undefined) continue
    works.push({ kind: 'players', pieces: playersByRate(postgres, currencyId, since), cause })
    works.push({ kind: 'spends', pieces: spendsByRate(postgres, currencyId, since), cause })
  }
  if (keysOf('setting').size > 0) await rebuildIfSet(postgres)
  return {
    works,
    async finish() {
      for (const change of rateChanges) await keepRates(postgres, change)
    },
  }
}

/** With another zone, report currency or percentage no fact stays as it is: that is a rebuild's work. */
async function rebuildIfSet(postgres: Postgres): Promise<void> {
  const [kept, now] = [await readKeptSetting(postgres.pool), await readSetting(postgres.pool)]
  if (kept !== undefined && !isSameSetting(kept, now)) await requestRebuild(postgres, 'update setting')
}
