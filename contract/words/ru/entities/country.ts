export const country = {
  title: 'Страны',
  one: 'страна',
  subtitle: 'Рынки, их валюты и домены ссылок',
  create: 'Новая страна',
  fields: {
    title: 'Название',
    code: 'Код',
    sub_id: 'Sub ID',
    currency: 'Валюта',
    partner_links_domain: 'Домен партнёрских ссылок',
    crm_country_id: 'ID страны в CRM',
    mappings: 'Другие названия',
  },
} as const
