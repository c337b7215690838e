// Entity: a contact of a partner.
import { PARTNER_DETAILS } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const CONTACT_TYPES = ['email', 'telegram', 'phone', 'other'] as const

export const partnerInfo = defineEntity({
  name: 'partner_info',
  route: null,
  access: PARTNER_DETAILS,
  scope: { by: 'partner', column: 'partner_id' },
  title: 'value',
  fields: {
    partner: { kind: 'reference', to: 'partner', required: true, fixed: true },
    type: { kind: 'choice', options: CONTACT_TYPES, required: true },
    value: { kind: 'text', required: true, searched: true },
  },
  unique: [],
  hasActive: true,
  list: { columns: ['partner', 'type', 'value'], filters: ['partner', 'type', 'value'] },
  form: [{ name: 'main', fields: ['partner', 'type', 'value'] }],
})
