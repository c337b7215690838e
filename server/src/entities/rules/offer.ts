// Rules of offers: empty terms default to those of payment model and advertiser; the country must be one of the advertiser's.

import { sql } from 'kysely'
import type { PaymentModelType } from '../../facts/terms.ts'
import { type Change, type EntityRules, idOf, isChanging, isCreating } from '../engine/model/entity-rules.ts'
import type { Row } from '../engine/model/model.ts'
import type { Db } from '../engine/model/request-context.ts'
import { countLeftSpends } from '../spends/left-spends.ts'
import { hasForeignLanding } from './allowed-landings.ts'
import { keepClosedPlace } from './closed-place.ts'
import { keepPastTerms } from './dated-terms.ts'

/** A payment model with what it gives to offers that leave a term empty. */
interface PaymentModel {
  type: PaymentModelType
  /** The percentage of income; for CPA a price. */
  cost: string | null
  default_cost: string | null
  default_baseline: string | null
  days: number | null
}

export const offerRules: EntityRules = {
  async prepare(change) {
    const model = await readPaymentModel(change.db, idOf(change, 'payment_model'))
    if (change.action === 'create') await fillEmptyTerms(change, model)
    if (model !== undefined) completePay(change, model)
    await keepClosedPlace(change)
    if (isChanging(change, 'advertiser') || isChanging(change, 'advertiser_country')) await checkCountry(change)
    if (change.before !== null && isChanging(change, 'advertiser')) await checkLandings(change, change.before.id)
    await keepPastTerms(change)
  },
  async finish(change, id) {
    if (change.before !== null && isChanging(change, 'payment_model')) await noteLeftSpends(change, id)
  },
}

/** Says how many spends another payment model leaves behind. */
async function noteLeftSpends(change: Change, offer: number): Promise<void> {
  const count = await countLeftSpends(change.db, offer)
  if (count > 0) change.addNotice('agent_spend_kept', { count })
}

export const offerPaymentModelHistoryRules: EntityRules = {
  async finish(change) {
    const offer = idOf(change, 'offer')
    if (offer !== null) await noteLeftSpends(change, offer)
  },
}

async function readPaymentModel(db: Db, id: number | null): Promise<PaymentModel | undefined> {
  const statement = sql<PaymentModel>`select type, cost, default_cost, default_baseline, default_baseline_period_days as days
    from payment_model where id = ${id}`
  return (await statement.execute(db)).rows[0]
}

/** Fills empty terms of a new offer from its payment model, or else from its advertiser. */
async function fillEmptyTerms(change: Change, model: PaymentModel | undefined): Promise<void> {
  change.values.state ??= 'unapproved'
  const { rows } = await sql<{ currency: number; cost: string | null; baseline: string | null }>`
    select default_currency_id as currency, default_cost as cost, default_baseline as baseline
    from advertiser where id = ${idOf(change, 'advertiser')}`.execute(change.db)
  const defaults: Row = {
    currency: rows[0]?.currency,
    baseline: model?.default_baseline ?? rows[0]?.baseline,
    days: model?.days,
  }
  if (model?.type === 'RS') {
    if (!isGiven(change.values.cost)) defaults.rs_share = model.default_cost
  } else defaults.cost = model?.default_cost ?? (model?.type === 'CPA_RS' ? null : model?.cost) ?? rows[0]?.cost
  for (const [field, value] of Object.entries(defaults)) if (isGiven(value)) change.values[field] ??= value
}

/** Moves the cost of an RS offer to its share, and rejects an offer without the price or share that its payment model pays by. */
function completePay(change: Change, { type, cost }: PaymentModel): void {
  if (!isCreating(change) && !['payment_model', 'cost', 'rs_share'].some((field) => isChanging(change, field))) return
  if (type === 'RS') {
    if (isGiven(change.values.cost)) {
      if (!isGiven(change.values.rs_share)) change.values.rs_share = change.values.cost
    }
    change.values.cost = null
    if (isGiven(change.valueOf('rs_share')) || change.isRejected('rs_share') || cost !== null) return
    if (isCreating(change)) change.reject('rs_share', 'required')
    else change.addNotice('rs_share_missing')
  } else if (type !== 'AGENCY' && !isGiven(change.valueOf('cost'))) change.reject('cost', 'required')
}

const isGiven = (value: unknown): boolean => value !== null && value !== undefined && value !== ''

/** Rejects a range without cost and share. A given cost that is not valid has its own error. */
export const offerTermsHistoryRules: EntityRules = {
  async prepare(change) {
    const isEmpty = !isGiven(change.valueOf('cost')) && !isGiven(change.valueOf('rs_share'))
    if (isEmpty && !change.isRejected('cost')) change.reject('cost', 'required')
  },
}

/** Rejects a country of another advertiser. */
async function checkCountry(change: Change): Promise<void> {
  const country = idOf(change, 'advertiser_country')
  const advertiser = idOf(change, 'advertiser')
  if (country === null || advertiser === null) return
  const statement = sql<{ advertiser_id: number }>`select advertiser_id from advertiser_country where id = ${country}`
  const owner = (await statement.execute(change.db)).rows[0]?.advertiser_id
  if (owner !== undefined && owner !== advertiser) change.reject('advertiser_country', 'country_of_other_advertiser')
}

/** Rejects another advertiser while landings of the offer are not allowed for it. */
async function checkLandings(change: Change, id: number): Promise<void> {
  const advertiser = idOf(change, 'advertiser')
  if (advertiser !== null && (await hasForeignLanding(change.db, id, advertiser)))
    change.reject('advertiser', 'landings_not_allowed')
}
