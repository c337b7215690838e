const reopened = { reopened_at: 'Открыт снова', reopened_by: 'Кто открыл', reason: 'Причина открытия' } as const

export const periodClose = {
  title: 'Закрытые месяцы',
  one: 'закрытие',
  subtitle: 'Какие месяцы закрыты, кем и для каких партнёров',
  create: 'Закрыть месяц',
  fields: {
    month: 'Месяц',
    partner_group: 'Группа',
    closed_at: 'Закрыт',
    closed_by: 'Кто закрыл',
    known_at: 'По состоянию на',
    ...reopened,
  },
} as const

export const periodClosePartner = {
  title: 'Партнёры закрытых месяцев',
  one: 'закрытый месяц партнёра',
  subtitle: 'Для каких партнёров месяц закрыт',
  create: 'Закрыть месяц',
  fields: { period_close: 'Закрытие', month: 'Месяц', partner: 'Партнёр', ...reopened },
} as const
