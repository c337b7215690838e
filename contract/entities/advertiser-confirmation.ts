// Entity: an advertiser has confirmed the figures of a month. Closing a month warns about advertisers without one.
import { NOBODY, staffLeadersOr } from '../access.ts'
import { defineEntity } from '../entity.ts'

const view = staffLeadersOr('payment_invoice_view')
const edit = staffLeadersOr('payment_invoice_edit')

export const advertiserConfirmation = defineEntity({
  name: 'advertiser_confirmation',
  route: null,
  access: { view, lookup: view, create: edit, edit: NOBODY, remove: edit },
  scope: { by: 'everyone' },
  title: 'month',
  namedBy: ['advertiser', 'month'],
  fields: {
    advertiser: { kind: 'reference', to: 'advertiser', required: true },
    month: { kind: 'text', format: 'month', required: true, whole: true },
    confirmed_at: { kind: 'datetime', readOnly: true },
    confirmed_by: { kind: 'reference', to: 'user', readOnly: true },
  },
  unique: [['advertiser', 'month']],
  hasActive: false,
  createsInModal: true,
  list: {
    columns: ['month', 'advertiser', 'confirmed_at', 'confirmed_by'],
    filters: ['month', 'advertiser', 'confirmed_at', 'confirmed_by'],
    sort: { by: 'month', desc: true },
  },
  form: [{ name: 'main', fields: ['advertiser', 'month'] }],
})
