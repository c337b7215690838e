// A contact of a partner.
import { leadersOr } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const CONTACT_TYPES = ['email', 'telegram', 'phone', 'other'] as const

export const partnerInfo = defineEntity({
  name: 'partner_info',
  route: null,
  access: {
    view: leadersOr('partners_view'),
    lookup: leadersOr('partners_view'),
    create: leadersOr('partners_edit'),
    edit: leadersOr('partners_edit'),
    remove: leadersOr('partners_edit'),
  },
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
