export const partnerPartnerGroup = {
  title: 'Groups of the partner',
  one: 'membership',
  subtitle: 'Groups that the partner belongs to',
  create: 'Add to a group',
  fields: {
    partner: 'Partner',
    partner_group: 'Group',
    spend_spreadsheet_id: 'Spend spreadsheet ID',
    sheet_mapping: 'Mapping of the sheet',
    managers: 'Managers',
  },
} as const
