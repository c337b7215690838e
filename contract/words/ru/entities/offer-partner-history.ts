const history = { offer_partner: 'Связка', date_from: 'С', date_to: 'По' } as const

export const offerPartnerBetRequirementHistory = {
  title: 'История требования по ставкам игрока',
  one: 'требование по ставкам игрока',
  subtitle: 'Сколько игрок должен поставить, по датам',
  create: 'Добавить период',
  fields: { ...history, value: 'Сумма ставок игрока' },
} as const

export const offerPartnerBlDepositHistory = {
  title: 'История бейслайна по депозиту',
  one: 'бейслайн по депозиту',
  subtitle: 'Сумма депозитов для квалификации, по датам',
  create: 'Добавить период',
  fields: { ...history, value: 'Сумма депозитов' },
} as const

export const offerPartnerBlPeriodHistory = {
  title: 'История периода бейслайна',
  one: 'период бейслайна',
  subtitle: 'За сколько дней нужно набрать бейслайн, по датам',
  create: 'Добавить период',
  fields: { ...history, value: 'Дней' },
} as const

export const offerPartnerCostHistory = {
  title: 'История цены',
  one: 'цена',
  subtitle: 'Плата за квалифицированного игрока, по датам',
  create: 'Добавить период',
  fields: { ...history, value: 'Цена' },
} as const

export const offerPartnerMaxDaysHistory = {
  title: 'История предела дней',
  one: 'предел дней',
  subtitle: 'Предельный срок от регистрации, по датам',
  create: 'Добавить период',
  fields: { ...history, value: 'Дней' },
} as const

export const offerPartnerRsShareHistory = {
  title: 'История доли дохода',
  one: 'доля дохода',
  subtitle: 'Процент от дохода, по датам',
  create: 'Добавить период',
  fields: { ...history, value: 'Доля' },
} as const

export const offerPartnerAgencyPercentageHistory = {
  title: 'История агентского процента',
  one: 'агентский процент',
  subtitle: 'Процент, который добавляется к расходам, по датам',
  create: 'Добавить период',
  fields: { ...history, value: 'Процент' },
} as const

export const offerPartnerCurrencyHistory = {
  title: 'История валюты',
  one: 'валюта',
  subtitle: 'Валюта цен и лимитов, по датам',
  create: 'Добавить период',
  fields: { ...history, value: 'Валюта' },
} as const

export const offerPartnerCountryRequirementHistory = {
  title: 'История требования по стране',
  one: 'требование по стране',
  subtitle: 'Должна ли страна игрока совпадать со страной оффера, по датам',
  create: 'Добавить период',
  fields: { ...history, value: 'Страна должна совпадать' },
} as const
