const history = { offer: 'Оффер', date_from: 'С', date_to: 'По' } as const

export const offerPaymentModelHistory = {
  title: 'История модели оплаты',
  one: 'модель оплаты',
  subtitle: 'Модель оплаты оффера, по датам',
  create: 'Добавить период',
  fields: { ...history, value: 'Модель оплаты' },
} as const

export const offerTermsHistory = {
  title: 'История условий',
  one: 'условия',
  subtitle: 'Цена или доля, валюта, бейслайн и дни оффера, по датам',
  create: 'Добавить период',
  fields: {
    ...history,
    cost: 'Цена',
    rs_share: 'Доля дохода',
    currency: 'Валюта',
    baseline: 'Бейслайн',
    days: 'Дней',
  },
} as const
