export const partnerInfo = {
  title: 'Контакты',
  one: 'контакт',
  subtitle: 'Как связаться с партнёром',
  create: 'Добавить контакт',
  fields: { partner: 'Партнёр', type: 'Тип', value: 'Контакт' },
  choices: { type: { email: 'Почта', telegram: 'Telegram', phone: 'Телефон', other: 'Другое' } },
} as const
