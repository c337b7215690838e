export const advertiserCountry = {
  title: 'Advertiser countries',
  one: 'advertiser country',
  subtitle: 'Domain, media ID and CRM project of a country',
  create: 'Add country',
  fields: {
    advertiser: 'Advertiser',
    country: 'Country',
    domain: 'Domain',
    media_id: 'Media ID',
    crm_project_id: 'CRM project ID',
  },
} as const
