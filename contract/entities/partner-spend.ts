// Entity: entered spend of a partner's stream in a country on a business day. Reports add the agency percentage to the accepted sum. A sum that
// a partner enters is a claim, stored beside the accepted sum until staff accept it.
import { leadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

/** Sources in order of precedence: a later one never replaces a sum of an earlier one. */
export const SPEND_SOURCES = ['manual', 'import', 'sheet'] as const

/** accepted: no claim is open. claimed: only a claim exists. disputed: the claim differs from the accepted sum. */
export const SPEND_STATES = ['accepted', 'claimed', 'disputed'] as const

/** Users who may enter accepted sums. All others with write access enter claims. */
export const SPEND_EDIT = leadersOr('partners_spend_edit')

const write = leadersOr('partners_spend_edit', 'partners_spend_partner_edit')
const money = { kind: 'decimal', scale: 4, min: 0, max: 1_000_000_000, unit: 'money' } as const

export const partnerSpend = defineEntity({
  name: 'partner_spend',
  route: '/partners-spends',
  access: { view: leadersOr('partners_spend_view'), lookup: leadersOr('partners_spend_view'), ...writtenBy(write) },
  scope: { by: 'through', column: 'stream_id', entity: 'partner_stream' },
  title: 'date',
  namedBy: ['stream.partner', 'stream', 'country', 'site_id', 'date'],
  comesBack: { field: 'source', is: ['sheet'] },
  fields: {
    stream: { kind: 'reference', to: 'partner_stream', required: true },
    site_id: { kind: 'text', format: 'token', searched: true },
    country: { kind: 'reference', to: 'country', required: true },
    date: { kind: 'date', required: true },
    /** The accepted sum; null while only a claim exists. If a claimant writes this field, the value becomes the claim. */
    sum: money,
    currency: { kind: 'reference', to: 'currency', required: true },
    /** The claimed sum. Staff accept it, or decline it by emptying it. */
    claim_sum: { ...money, currencyField: 'claim_currency' },
    /** The claim's own; without it a claimant's `currency` becomes the claim's, as `sum` does. */
    claim_currency: { kind: 'reference', to: 'currency' },
    claim_by: { kind: 'reference', to: 'user', readOnly: true },
    claim_at: { kind: 'datetime', readOnly: true },
    accepted_by: { kind: 'reference', to: 'user', readOnly: true, hiddenFrom: ['PARTNER'] },
    state: { kind: 'choice', options: SPEND_STATES, readOnly: true },
    source: { kind: 'choice', options: SPEND_SOURCES, readOnly: true },
    /** Chosen when the spend is entered; a partner offer with spend cannot be deleted. */
    offer_partner: { kind: 'reference', to: 'offer_partner', readOnly: true, mayBeInactive: true },
  },
  unique: [['stream', 'site_id', 'country', 'date']],
  hasActive: true,
  createsInModal: true,
  list: {
    columns: [
      'date',
      'sum',
      'claim_sum',
      'state',
      'stream',
      'stream.partner',
      'country',
      'site_id',
      'claim_by',
      'claim_at',
      'accepted_by',
      'source',
      'currency',
      'offer_partner',
      'offer_partner.offer.payment_model',
    ],
    // On a phone, what partners entered themselves is in sight.
    partnerColumns: ['claim_sum', 'state'],
    filters: [
      'date',
      'stream',
      'stream.partner',
      'country',
      'offer_partner.offer.advertiser',
      'site_id',
      'sum',
      'currency',
      'state',
      'claim_sum',
      'claim_currency',
      'claim_by',
      'claim_at',
      'source',
      'offer_partner.offer.payment_model',
    ],
    sort: { by: 'date', desc: true },
    opens: { path: 'date', period: 'current_month' },
  },
  form: [
    {
      name: 'main',
      fields: [
        'stream',
        'country',
        'date',
        'site_id',
        'sum',
        'currency',
        'claim_sum',
        'claim_currency',
        'state',
        'source',
      ],
    },
  ],
})
