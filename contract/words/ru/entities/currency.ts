export const currency = {
  title: 'Валюты',
  one: 'валюта',
  subtitle: 'Деньги депозитов, цен и расходов',
  create: 'Новая валюта',
  fields: { title: 'Название', value: 'Значение в теге', rates: 'Курсы' },
} as const
