export const defaultLanding = {
  title: 'Лендинги по умолчанию',
  one: 'лендинг по умолчанию',
  subtitle: 'Куда ведёт клик, если лендинг не указан',
  create: 'Добавить лендинг',
  fields: { advertiser: 'Рекламодатель', country: 'Страна', landing: 'Лендинг' },
} as const
