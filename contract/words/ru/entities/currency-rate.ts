export const currencyRate = {
  title: 'Курсы',
  one: 'курс',
  subtitle: 'Цена в валюте отчётов начиная с этого дня',
  create: 'Добавить курс',
  fields: { currency: 'Валюта', date: 'Дата', rate: 'Курс' },
} as const
