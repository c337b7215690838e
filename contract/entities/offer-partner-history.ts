// Entities: dated terms of a partner offer. Ranges of one term never overlap (an exclusion constraint); an open end means "until changed".
import { leadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'
import type { DecimalField, IntegerField } from '../field.ts'

function history<const N extends string, const V extends DecimalField | IntegerField>(name: N, value: V) {
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

const money = { kind: 'decimal', scale: 4, min: 0, max: 1_000_000_000, unit: 'money', required: true } as const
const days = { kind: 'integer', min: 0, max: 3650, required: true } as const

/** Price of a qualified player (CPA), or percentage of income (RS). */
export const offerPartnerCostHistory = history('offer_partner_cost_history', money)
export const offerPartnerBlDepositHistory = history('offer_partner_bl_deposit_history', money)
export const offerPartnerBlPeriodHistory = history('offer_partner_bl_period_history', days)
export const offerPartnerBetRequirementHistory = history('offer_partner_bet_requirement_history', money)
export const offerPartnerMaxDaysHistory = history('offer_partner_max_days_history', days)
