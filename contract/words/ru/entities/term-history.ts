import { priceDays } from './payment-model.ts'

const history = { date_from: 'С', date_to: 'По' } as const

export const paymentModelShareHistory = {
  title: 'История доли',
  one: 'доля',
  subtitle: 'Процент от дохода по модели оплаты, по датам',
  create: 'Добавить период',
  fields: { ...history, payment_model: 'Модель оплаты', value: 'Доля', cpa_price_day: 'День цены' },
  choices: { cpa_price_day: priceDays },
} as const

export const agencyPercentageHistory = {
  title: 'История агентского процента',
  one: 'агентский процент',
  subtitle: 'Процент, который добавляется к расходам, по датам',
  create: 'Добавить период',
  fields: { ...history, value: 'Процент' },
} as const
