export const trafficSource = {
  title: 'Traffic sources',
  one: 'traffic source',
  subtitle: 'Where partners’ visitors come from',
  create: 'New traffic source',
  fields: {
    title: 'Title',
    url: 'URL',
    crm_type_of_advertising_id: 'CRM type of advertising ID',
    crm_traffic_source_id: 'CRM traffic source ID',
    crm_description: 'Description for CRM',
  },
} as const
