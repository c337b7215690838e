export const advertiser = {
  title: 'Рекламодатели',
  one: 'рекламодатель',
  subtitle: 'Бренды, которые платят за игроков',
  create: 'Новый рекламодатель',
  fields: {
    title: 'Название',
    default_domain: 'Домен по умолчанию',
    crm_id: 'ID в CRM',
    default_crm_project_id: 'ID проекта CRM по умолчанию',
    media_id: 'Media ID',
    default_currency: 'Валюта по умолчанию',
    default_cost: 'Цена по умолчанию',
    default_baseline: 'Бейслайн по умолчанию',
    allowed_landings: 'Разрешённые лендинги',
    default_landings: 'Лендинги по умолчанию',
    countries: 'Страны',
  },
} as const
