export const ledgerEntry = {
  title: 'Проводки',
  one: 'проводка',
  subtitle: 'Что партнёры заработали в закрытых месяцах, и каждое исправление',
  create: 'Новая проводка',
  fields: {
    partner: 'Партнёр',
    earned_month: 'Заработано в',
    booked_month: 'Проведено в',
    offer_partner: 'Связка',
    stream: 'Поток',
    traffic_source: 'Источник трафика',
    country: 'Страна',
    advertiser: 'Рекламодатель',
    kind: 'Вид',
    currency: 'Валюта',
    amount: 'Сумма',
    source: 'Основание',
    known_at: 'По состоянию на',
    causes: 'Причины',
    period_close: 'Закрытие',
  },
  choices: {
    kind: { cpa: 'CPA', rs: 'Доля дохода', agency: 'Агентский' },
    source: { close: 'Закрытие', reclose: 'Повторное закрытие', true_up: 'Корректировка' },
  },
} as const

export const ledgerItem = {
  title: 'Строки проводок',
  one: 'строка проводки',
  subtitle: 'Из чего складываются проводки',
  create: 'Новая строка',
  fields: {
    ledger_entry: 'Проводка',
    player: 'Игрок',
    day: 'День',
    quantity: 'Количество',
    base: 'База',
    rate: 'Процент',
    amount: 'Сумма',
  },
} as const
