const states = { approved: 'Одобрен', unapproved: 'Не одобрен' } as const

export const partner = {
  title: 'Партнёры',
  one: 'партнёр',
  subtitle: 'Те, кто приводит игроков',
  create: 'Новый партнёр',
  fields: {
    title: 'Название',
    state: 'Состояние',
    payment_details: 'Примечание к выплатам',
    team_name: 'Команда',
    spend_spreadsheet_id: 'ID таблицы расходов',
    tags: 'Теги',
    partner_partner_groups: 'Группы',
    streams: 'Потоки',
    affiliates: 'Affiliate ID',
    postback_urls: 'Адреса постбэков',
    infos: 'Контакты',
    users: 'Пользователи',
  },
  choices: { state: states },
} as const
