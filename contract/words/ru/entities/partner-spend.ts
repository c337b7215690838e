export const partnerSpend = {
  title: 'Расходы партнёров',
  one: 'расход',
  subtitle: 'Сколько потрачено на поток в стране, по дням',
  create: 'Новый расход',
  fields: {
    stream: 'Поток',
    site_id: 'Site ID',
    country: 'Страна',
    date: 'Дата',
    sum: 'Сумма',
    currency: 'Валюта',
    source: 'Откуда',
  },
  choices: { source: { manual: 'Вручную', import: 'Импорт', sheet: 'Таблица' } },
} as const
