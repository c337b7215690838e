// Entity: a partner's membership in a group, with the partner's managers in that group.
import { PARTNER_DETAILS } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const partnerPartnerGroup = defineEntity({
  name: 'partner_partner_group',
  route: null,
  access: PARTNER_DETAILS,
  scope: { by: 'partner', column: 'partner_id', group: 'partner_group_id' },
  title: 'partner_group',
  namedBy: ['partner', 'partner_group'],
  fields: {
    partner: { kind: 'reference', to: 'partner', required: true, fixed: true },
    partner_group: { kind: 'reference', to: 'partner_group', required: true },
    spend_spreadsheet_id: { kind: 'text', format: 'spreadsheet' },
    /** Headings of the sheet that the product does not know by itself: SheetMapping. */
    sheet_mapping: { kind: 'json', readOnly: true, hiddenFrom: ['PARTNER'] },
    managers: { kind: 'children', of: 'partner_group_manager', by: 'partner_partner_group', owned: true },
  },
  unique: [['partner', 'partner_group']],
  hasActive: true,
  list: { columns: ['partner', 'partner_group'], filters: ['partner', 'partner_group'] },
  form: [{ name: 'main', fields: ['partner', 'partner_group', 'spend_spreadsheet_id'] }],
})
