const states = { approved: 'Одобрен', unapproved: 'Не одобрен' } as const

export const offer = {
  title: 'Офферы',
  one: 'оффер',
  subtitle: 'За что платят рекламодатели: по странам и моделям оплаты',
  create: 'Новый оффер',
  fields: {
    title: 'Название',
    advertiser: 'Рекламодатель',
    advertiser_country: 'Страна, Media ID',
    payment_model: 'Модель оплаты',
    currency: 'Валюта',
    cost: 'Цена',
    rs_share: 'Доля дохода',
    days: 'Дней',
    baseline: 'Бейслайн',
    product: 'Продукт',
    state: 'Состояние',
    partner_groups: 'Группы партнёров',
    offer_partners: 'Связки',
    payment_model_history: 'Модель оплаты по датам',
    terms_history: 'Цена, доля, валюта, бейслайн по датам',
  },
  choices: { state: states },
} as const
