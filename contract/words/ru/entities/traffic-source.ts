export const trafficSource = {
  title: 'Источники трафика',
  one: 'источник трафика',
  subtitle: 'Откуда приходят посетители партнёров',
  create: 'Новый источник',
  fields: {
    title: 'Название',
    url: 'Адрес',
    crm_type_of_advertising_id: 'ID типа рекламы в CRM',
    crm_traffic_source_id: 'ID источника в CRM',
    crm_description: 'Описание для CRM',
  },
} as const
