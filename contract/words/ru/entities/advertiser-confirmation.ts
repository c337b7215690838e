export const advertiserConfirmation = {
  title: 'Подтверждения рекламодателей',
  one: 'подтверждение рекламодателя',
  subtitle: 'Какие рекламодатели подтвердили цифры месяца',
  create: 'Новое подтверждение',
  fields: {
    advertiser: 'Рекламодатель',
    month: 'Месяц',
    confirmed_at: 'Подтверждено',
    confirmed_by: 'Кто подтвердил',
  },
} as const
