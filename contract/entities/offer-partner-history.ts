// Entities: dated terms of a partner offer. Ranges of one term never overlap (an exclusion constraint); an open end means "until changed".
import { leadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'
import type { BooleanField, DecimalField, IntegerField, ReferenceField } from '../field.ts'

type ValueField = DecimalField | IntegerField | BooleanField | ReferenceField

function history<const N extends string, const V extends ValueField>(name: N, value: V) {
  return defineEntity({
    name,
    route: null,
    access: {
      view: leadersOr('offer_view'),
      lookup: leadersOr('offer_view'),
      ...writtenBy(leadersOr('manager_access')),
    },
    scope: { by: 'through', column: 'offer_partner_id', entity: 'offer_partner' },
    title: 'date_from',
    fields: {
      offer_partner: { kind: 'reference', to: 'offer_partner', required: true, fixed: true },
      value,
      date_from: { kind: 'date', required: true },
      date_to: { kind: 'date' },
    },
    unique: [],
    hasActive: false,
    list: {
      columns: ['offer_partner', 'value', 'date_from', 'date_to'],
      filters: ['offer_partner', 'value', 'date_from', 'date_to'],
      sort: { by: 'date_from', desc: true },
    },
    form: [{ name: 'main', fields: ['offer_partner', 'value', 'date_from', 'date_to'] }],
  })
}

const money = { kind: 'decimal', scale: 4, min: 0, max: 1_000_000_000, unit: 'money' } as const
const percent = { kind: 'decimal', scale: 4, min: 0, max: 100, unit: 'percent', required: true } as const
const days = { kind: 'integer', min: 0, max: 3650 } as const

/** Price of a qualified player; on other days the offer's cost applies. */
export const offerPartnerCostHistory = history('offer_partner_cost_history', { ...money, required: true })
/** Percentage of income; on other days that of the offer applies, or of the payment model. */
export const offerPartnerRsShareHistory = history('offer_partner_rs_share_history', percent)
/** Percentage added to entered spend; on other days that of the settings applies. */
export const offerPartnerAgencyPercentageHistory = history('offer_partner_agency_percentage_history', percent)
export const offerPartnerCurrencyHistory = history('offer_partner_currency_history', {
  kind: 'reference',
  to: 'currency',
  required: true,
})
export const offerPartnerCountryRequirementHistory = history('offer_partner_country_requirement_history', {
  kind: 'boolean',
  required: true,
})
// A range of these without a value: on its days, the offer's value applies, or no limit.
export const offerPartnerBlDepositHistory = history('offer_partner_bl_deposit_history', money)
export const offerPartnerBlPeriodHistory = history('offer_partner_bl_period_history', days)
export const offerPartnerBetRequirementHistory = history('offer_partner_bet_requirement_history', money)
export const offerPartnerMaxDaysHistory = history('offer_partner_max_days_history', days)
