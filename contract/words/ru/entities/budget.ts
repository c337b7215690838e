const cell = {
  advertiser: 'Рекламодатель',
  country: 'Страна',
  month: 'Месяц',
  planned: 'План',
  currency: 'Валюта',
} as const

export const budget = {
  title: 'Бюджеты',
  one: 'бюджет',
  subtitle: 'Планы всех месяцев и их состояния',
  create: 'Новый бюджет',
  fields: {
    ...cell,
    state: 'Состояние',
    approved_by: 'Кто утвердил',
    approved_at: 'Утверждён',
    reason: 'Причина изменения',
  },
  choices: { state: { draft: 'Черновик', proposed: 'Предложен', approved: 'Утверждён' } },
} as const

export const budgetVersion = {
  title: 'Версии бюджетов',
  one: 'версия бюджета',
  subtitle: 'Какими были утверждённые бюджеты до изменения и почему они изменились',
  create: 'Новая версия',
  fields: {
    budget: 'Бюджет',
    user: 'Кто изменил',
    reason: 'Причина',
    planned_before: 'План до изменения',
    currency_before: 'Валюта до изменения',
    active_before: 'Был включён',
    planned: 'План',
    currency: 'Валюта',
    approved_by: 'Кто утверждал',
    approved_at: 'Был утверждён',
  },
} as const

export const partnerBudget = {
  title: 'Бюджеты партнёров',
  one: 'бюджет партнёра',
  subtitle: 'Доля партнёра в бюджете',
  create: 'Новый бюджет партнёра',
  fields: { partner: 'Партнёр', ...cell },
} as const
