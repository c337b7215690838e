export const country = {
  title: 'Countries',
  one: 'country',
  subtitle: 'Markets, their currencies and link domains',
  create: 'New country',
  fields: {
    title: 'Title',
    code: 'Code',
    sub_id: 'Sub ID',
    currency: 'Currency',
    partner_links_domain: 'Partner links domain',
    crm_country_id: 'CRM country ID',
    mappings: 'Alternative titles',
  },
} as const
