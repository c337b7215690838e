export const country = {
  title: 'Countries',
  one: 'country',
  subtitle: 'Markets with their currencies and tracking domains',
  create: 'New country',
  fields: {
    title: 'Title',
    code: 'Code',
    sub_id: 'Sub ID',
    currency: 'Currency',
    partner_links_domain: 'Tracking domain',
    crm_country_id: 'CRM country ID',
    mappings: 'Alternative titles',
  },
} as const
