export const advertiser = {
  title: 'Advertisers',
  one: 'advertiser',
  subtitle: 'Brands that pay for players',
  create: 'New advertiser',
  fields: {
    title: 'Title',
    default_domain: 'Default domain',
    crm_id: 'CRM ID',
    default_crm_project_id: 'Default CRM project ID',
    media_id: 'Media ID',
    default_currency: 'Default currency',
    default_cost: 'Default cost',
    default_baseline: 'Default baseline',
    allowed_landings: 'Allowed landings',
    default_landings: 'Default landings',
    countries: 'Countries',
  },
} as const
