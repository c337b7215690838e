export const budget = {
  title: 'План бюджета',
  one: 'бюджет',
  subtitle: 'Сколько можно потратить на страну рекламодателя за месяц',
  create: 'Новый бюджет',
  fields: { advertiser: 'Рекламодатель', country: 'Страна', month: 'Месяц', planned: 'План' },
} as const

export const partnerBudget = {
  title: 'Бюджеты партнёров',
  one: 'бюджет партнёра',
  subtitle: 'Доля партнёра в бюджете',
  create: 'Новый бюджет партнёра',
  fields: { partner: 'Партнёр', advertiser: 'Рекламодатель', country: 'Страна', month: 'Месяц', planned: 'План' },
} as const
