export const advertiserCountry = {
  title: 'Страны рекламодателя',
  one: 'страна рекламодателя',
  subtitle: 'Домен, Media ID и проект CRM в стране',
  create: 'Добавить страну',
  fields: {
    advertiser: 'Рекламодатель',
    country: 'Страна',
    domain: 'Домен',
    media_id: 'Media ID',
    crm_project_id: 'ID проекта CRM',
  },
} as const
