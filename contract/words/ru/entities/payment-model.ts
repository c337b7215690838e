export const priceDays = { qualification: 'Квалификация', registration: 'Регистрация' } as const

export const paymentModel = {
  title: 'Модели оплаты',
  one: 'модель оплаты',
  subtitle: 'Как платят партнёрам; значения для новых офферов и связок',
  create: 'Новая модель оплаты',
  fields: {
    title: 'Название',
    title_for_analysts: 'Название для аналитиков',
    type: 'Тип',
    cost: 'Цена или доля',
    cpa_price_day: 'День, по цене которого платят',
    share_history: 'Доля дохода и день цены по датам',
    default_cost: 'Цена или доля по умолчанию',
    default_baseline: 'Бейслайн по умолчанию',
    default_baseline_period_days: 'Период бейслайна по умолчанию, дней',
    default_max_days_from_registration: 'Предел дней от регистрации по умолчанию',
  },
  choices: {
    type: { CPA: 'CPA', RS: 'RS', CPA_RS: 'CPA + RS', AGENCY: 'Агентская' },
    cpa_price_day: priceDays,
  },
} as const
