// Rules of entered spend: it needs an agency partner offer with activity on that day. A claimant's sum becomes a claim beside the accepted sum.

import { addDays, today } from '@tributary/contract/period'
import { isClaimant } from '@tributary/contract/spend-claim'
import { sql } from 'kysely'
import { type Change, type EntityRules, idOf, isChanging, isCreating } from '../engine/model/entity-rules.ts'
import { entityNamed } from '../engine/model/model.ts'
import { type HeldMoney, judgeSpends, needsActivity, type SpendRejection } from '../spends/judge-cell.ts'
import { otherSiteIssue } from '../spends/other-site.ts'
import type { SpendCell } from '../spends/spend-cell.ts'
import { type Amount, isSameAmount, showSum } from '../spends/spend-month.ts'
import { rejectClosedDays } from './closed-period.ts'
import { readReportCurrency } from './finance.ts'

export const partnerSpendRules: EntityRules = {
  async prepare(change) {
    if (isClaimant(change.context.holder)) await prepareClaim(change)
    else await prepareSum(change)
    await checkPlace(change)
    await rejectClosedSpend(change)
  },
  async prepareRemoval(change) {
    await rejectClosedSpend(change)
    if (!isClaimant(change.context.holder)) return
    if (change.before?.sum !== null) change.reject('id', 'spend_accepted')
    else await checkClaimDays(change, 'id')
  },
}

/** Neither the former nor the new day of a spend may be in a closed month of its partner. */
async function rejectClosedSpend(change: Change): Promise<void> {
  const { db, context, before } = change
  const reject = (stream: unknown, day: unknown): Promise<void> =>
    typeof stream === 'number' && typeof day === 'string'
      ? rejectClosedDays(db, context, { stream }, [{ from: day, to: day }])
      : Promise.resolve()
  await reject(before?.stream, before?.date)
  const stream = idOf(change, 'stream')
  if (change.action !== 'delete' && stream !== null && (await isVisible(change, stream)))
    await reject(stream, change.valueOf('date'))
}

/** Fields that decide to which partner offer a spend belongs. */
const PLACE = ['stream', 'country', 'site_id', 'date'] as const

/** A claim on a day that has a spend is entered in that spend. */
async function rejectTakenCell(change: Change): Promise<void> {
  const place = placeOf(change)
  if (!isCreating(change) || place === null || !(await isVisible(change, place.stream))) return
  const { rows } = await sql<{ id: number }>`select id from partner_spend
    where stream_id = ${place.stream} and country_id = ${place.country} and date = ${place.day}::date
      and site_id is not distinct from ${place.site}::text`.execute(change.db)
  const [taken] = rows
  if (taken !== undefined) change.reject('date', 'spend_claim_there', {}, { entity: 'partner_spend', id: taken.id })
}

async function prepareClaim(change: Change): Promise<void> {
  const { values, before, context } = change
  await rejectTakenCell(change)
  if (Object.hasOwn(values, 'sum')) {
    values.claim_sum ??= values.sum
    Reflect.deleteProperty(values, 'sum')
  }
  if (before !== null && before.sum !== null)
    for (const field of [...PLACE, 'currency', 'active'])
      if (isChanging(change, field)) change.reject(field, 'spend_accepted')
  await settleClaimCurrency(change)
  const claim = amountOf(change.valueOf('claim_sum'), change.valueOf('claim_currency'))
  if (isSameAmount(claim, amountOf(before?.sum, before?.currency))) values.claim_sum = null
  const hasClaim = isGiven(change.valueOf('claim_sum'))
  if (!hasClaim) values.claim_currency = null
  if (!hasClaim && !isGiven(before?.sum) && !change.isRejected('sum')) change.reject('sum', 'required')
  if (isChanging(change, 'claim_sum') || isChanging(change, 'claim_currency')) {
    values.claim_by = hasClaim ? context.userId : null
    values.claim_at = hasClaim ? new Date().toISOString() : null
  }
  await checkClaimDays(change, 'date')
}

/** The claim's own currency, else `currency` of the request, else that of the claim or of the accepted sum so far. */
async function settleClaimCurrency({ values, before, db }: Change): Promise<void> {
  const isAccepted = isGiven(before?.sum)
  const given = values.claim_currency ?? (isAccepted ? undefined : values.currency)
  const currency = given ?? before?.claim_currency ?? before?.currency ?? (await readReportCurrency(db))
  values.claim_currency = currency
  // A row without a sum shows the currency of its claim.
  if (!isAccepted) values.currency = currency
}

/** Rejects claims for days that are too long ago; both the new and the former day count. */
async function checkClaimDays(change: Change, field: string): Promise<void> {
  const { rows } = await sql<{ days: number; zone: string }>`
    select spend_claim_days as days, business_time_zone as zone from setting`.execute(change.db)
  const { days, zone } = rows[0] ?? { days: 1, zone: 'UTC' }
  const from = addDays(today(zone), 1 - days)
  const isLate = [change.valueOf('date'), change.before?.date].some((day) => typeof day === 'string' && day < from)
  if (isLate) change.reject(field, 'spend_claim_late', { days, from })
}

/** Staff enter the accepted sum, accept a claim by its sum and currency, or empty it. */
async function prepareSum(change: Change): Promise<void> {
  const { values } = change
  if (isCreating(change)) values.currency ??= await readReportCurrency(change.db)
  if (isGiven(values.claim_sum)) change.reject('claim_sum', 'read_only')
  else if (isChanging(change, 'claim_currency') && !isChanging(change, 'claim_sum'))
    change.reject('claim_currency', 'read_only')
  else if (!isGiven(change.valueOf('sum'))) rejectWithoutSum(change)
  else {
    if (change.given.has('sum') || isChanging(change, 'currency')) await settleClaim(change)
    else if (isChanging(change, 'claim_sum') && isClaimed(change)) values.accepted_by = change.context.userId
    if (isChanging(change, 'claim_sum')) Object.assign(values, { claim_currency: null, claim_by: null, claim_at: null })
  }
}

function rejectWithoutSum(change: Change): void {
  if (isGiven(change.before?.claim_sum) && isChanging(change, 'claim_sum'))
    change.reject('claim_sum', 'spend_claim_alone')
  else if ((isCreating(change) || isChanging(change, 'sum')) && !change.isRejected('sum'))
    change.reject('sum', 'required')
}

/** True if the sum is the one that the partner claims. */
const isClaimed = (change: Change): boolean =>
  isSameAmount(
    amountOf(change.valueOf('sum'), change.valueOf('currency')),
    amountOf(change.before?.claim_sum, change.before?.claim_currency),
  )

/** Marks the sum as entered by hand, also an equal one: it precedes imports and sheets from now on. An equal claim is accepted; a different one stays, with a notice. */
async function settleClaim(change: Change): Promise<void> {
  const { values, before, context } = change
  values.source = 'manual'
  const claim = amountOf(before?.claim_sum, before?.claim_currency)
  if (claim.sum === null) return
  if (isClaimed(change)) Object.assign(values, { claim_sum: null, accepted_by: context.userId })
  else if (!isChanging(change, 'claim_sum')) {
    const accepted = amountOf(change.valueOf('sum'), change.valueOf('currency'))
    const [sum, told] = await Promise.all([accepted, claim].map((amount) => wordAmount(change, amount)))
    change.addNotice('spend_conflict', { sum: sum ?? '', claim: told ?? '' })
  }
}

async function wordAmount({ db }: Change, { sum, currency }: Amount): Promise<string> {
  const { rows } = await sql<{ value: string }>`select value from currency where id = ${currency}`.execute(db)
  return showSum(sum, rows[0]?.value ?? '')
}

const isGiven = (sum: unknown): boolean => sum !== null && sum !== undefined
/** Both as a request or a stored row has them. */
const amountOf = (sum: unknown, currency: unknown): Amount => ({
  sum: isGiven(sum) ? String(sum) : null,
  currency: typeof currency === 'number' ? currency : null,
})

const CLAIM = ['claim_sum', 'claim_currency'] as const
const CHECKED_FIELDS = [...PLACE, 'sum', 'currency', ...CLAIM] as const

async function checkPlace(change: Change): Promise<void> {
  const isSwitchedOn = isChanging(change, 'active') && change.valueOf('active') === true
  const isWritten = isCreating(change) || isSwitchedOn || CHECKED_FIELDS.some((field) => isWriting(change, field))
  const place = placeOf(change)
  // The store rejects a stream out of scope as a reference; further errors would reveal facts about it.
  if (!isWritten || place === null || !(await isVisible(change, place.stream))) return
  const { db, context } = change
  const isMoved = isCreating(change) || PLACE.some((field) => isChanging(change, field))
  const currentId = isMoved ? null : idOf(change, 'offer_partner')
  const [verdict] = await judgeSpends(db, context.engines, [
    { place, currentId, isRaised: isMoved || isRaised(change) },
  ])
  if (verdict === undefined) return
  if ('rejected' in verdict) {
    const hasNoOffer = verdict.rejected === 'spend_link_missing' || verdict.rejected === 'spend_site_missing'
    const isAccepting = hasNoOffer && isGiven(change.before?.claim_sum) && !isClaimant(context.holder)
    const key = isAccepting ? 'spend_claim_without_offer' : verdict.rejected
    change.reject(REJECTED_FIELDS[verdict.rejected], key, verdict.values)
  } else {
    if (verdict.offerPartner !== currentId) change.values.offer_partner = verdict.offerPartner
    if (isGiven(change.valueOf('sum')) && change.valueOf('active') !== false)
      await rejectOtherSite(change, place, verdict.offerPartner)
  }
}

/** A partner offer has one accepted spend a day: with the site or without it. */
async function rejectOtherSite(change: Change, place: SpendCell, offerPartner: number): Promise<void> {
  const { rows } = await sql<{ site: string | null; sum: string; currency: number; currencyValue: string }>`
    select site_id as site, sum, currency_id as currency, c.value as "currencyValue"
    from partner_spend s join currency c on c.id = s.currency_id
    where offer_partner_id = ${offerPartner} and stream_id = ${place.stream} and country_id = ${place.country}
      and date = ${place.day}::date and s.active and sum is not null and site_id is distinct from ${place.site}::text
      and s.id is distinct from ${change.before?.id ?? null}::bigint limit 1`.execute(change.db)
  const [other] = rows
  if (other === undefined) return
  const { key, values = {} } = otherSiteIssue(other, { valueOf: () => other.currencyValue })
  change.reject('site_id', key, values)
}

const REJECTED_FIELDS: Readonly<Record<SpendRejection, (typeof PLACE)[number]>> = {
  date_future: 'date',
  spend_link_missing: 'country',
  spend_site_missing: 'site_id',
  not_agency: 'date',
  spend_without_activity: 'date',
}

async function isVisible({ db, context }: Change, stream: number): Promise<boolean> {
  const scope = context.scopeOf(entityNamed('partner_stream'), 't') ?? sql`true`
  const statement = sql`select from partner_stream as t where t.id = ${stream} and ${scope}`
  return (await statement.execute(db)).rows.length > 0
}

/** True if the change gives the field another value; withdrawing a claim does not count. */
const isWriting = (change: Change, field: string): boolean =>
  isChanging(change, field) && (!CLAIM.some((name) => name === field) || isGiven(change.values[field]))

/** True if the spend holds more money after the change than before. */
function isRaised(change: Change): boolean {
  const { before } = change
  if (before === null) return true
  if (change.valueOf('active') === false) return false
  const claim = amountOf(before.claim_sum, before.claim_currency)
  const held: HeldMoney = {
    ...amountOf(before.sum, before.currency),
    active: before.active === true,
    claim: claim.sum,
    claimCurrency: claim.currency,
  }
  const given = [
    amountOf(change.valueOf('sum'), change.valueOf('currency')),
    amountOf(change.valueOf('claim_sum'), change.valueOf('claim_currency')),
  ]
  return given.some((amount) => amount.sum !== null && needsActivity(held, amount))
}

/** Null if a field is missing or malformed; other checks reject that. */
function placeOf(change: Change): SpendCell | null {
  const [stream, country, site, day] = [
    idOf(change, 'stream'),
    idOf(change, 'country'),
    change.valueOf('site_id'),
    change.valueOf('date'),
  ]
  if (stream === null || country === null || typeof day !== 'string') return null
  return { stream, country, site: typeof site === 'string' ? site : null, day }
}
