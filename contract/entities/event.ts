// Entity: a partner's name for an event, which replaces {event} in the partner's postback URLs. A row without a partner applies to all partners
// that have no such row.
import { ADMIN_ONLY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const event = defineEntity({
  name: 'event',
  route: '/events',
  access: { view: ADMIN_ONLY, lookup: ADMIN_ONLY, ...writtenBy(ADMIN_ONLY) },
  scope: { by: 'staff_or_partner', column: 'partner_id' },
  title: 'name',
  label: ['parameter_name'],
  fields: {
    /** 'reg', 'ftd', 'dep', 'bl', or a name that an advertiser sends. */
    name: { kind: 'text', format: 'token', required: true, searched: true, max: 64 },
    partner: { kind: 'reference', to: 'partner' },
    parameter_name: { kind: 'text', format: 'token', required: true, searched: true, max: 64 },
  },
  unique: [['partner', 'name']],
  hasActive: true,
  list: { columns: ['name', 'partner', 'parameter_name'], filters: ['name', 'partner', 'parameter_name'] },
  form: [{ name: 'main', fields: ['name', 'partner', 'parameter_name'] }],
})
