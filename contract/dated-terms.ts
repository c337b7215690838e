// The dated terms of each entity: its histories, and the fields whose values hold on days without a range.

/** A history entity, and the owner's fields of which it stores values by dates. */
export interface DatedTerm {
  readonly history: string
  /** Field of the history that refers to the owner; null if only one owner exists. */
  readonly owner: string | null
  /** The owner's fields by field of the history. */
  readonly fields: Readonly<Record<string, string>>
}

const ofOfferPartner = (term: string, field: string): DatedTerm => ({
  history: `offer_partner_${term}_history`,
  owner: 'offer_partner',
  fields: { value: field },
})

export const DATED_TERMS: Readonly<Record<string, readonly DatedTerm[]>> = {
  offer: [
    { history: 'offer_payment_model_history', owner: 'offer', fields: { value: 'payment_model' } },
    {
      history: 'offer_terms_history',
      owner: 'offer',
      fields: { cost: 'cost', rs_share: 'rs_share', currency: 'currency', baseline: 'baseline', days: 'days' },
    },
  ],
  offer_partner: [
    ofOfferPartner('bl_deposit', 'baseline'),
    ofOfferPartner('bl_period', 'baseline_period_days'),
    ofOfferPartner('max_days', 'max_days_from_registration'),
    ofOfferPartner('bet_requirement', 'bet_requirement'),
    ofOfferPartner('country_requirement', 'country_requirement'),
    ofOfferPartner('currency', 'currency'),
  ],
  payment_model: [
    {
      history: 'payment_model_share_history',
      owner: 'payment_model',
      fields: { value: 'cost', cpa_price_day: 'cpa_price_day' },
    },
  ],
  setting: [{ history: 'agency_percentage_history', owner: null, fields: { value: 'agency_spend_percentage' } }],
}
