export const adjustment = {
  title: 'Корректировки',
  one: 'корректировка',
  subtitle: 'Что положено партнёрам или причитается с них помимо заработанного',
  create: 'Новая корректировка',
  fields: {
    partner: 'Партнёр',
    month: 'Месяц',
    offer_partner: 'Связка',
    amount: 'Сумма',
    currency: 'Валюта',
    kind: 'Вид',
    reason: 'Причина (для сотрудников)',
    note: 'Примечание для партнёра',
    created_by: 'Кто создал',
  },
  choices: { kind: { scrub: 'Списание трафика', bonus: 'Бонус', fee: 'Комиссия', manual: 'Вручную' } },
} as const
