export const partnerPartnerGroup = {
  title: 'Группы партнёра',
  one: 'участие в группе',
  subtitle: 'В каких группах состоит партнёр',
  create: 'Добавить в группу',
  fields: {
    partner: 'Партнёр',
    partner_group: 'Группа',
    spend_spreadsheet_id: 'ID таблицы расходов',
    sheet_mapping: 'Разметка таблицы',
    managers: 'Менеджеры',
  },
} as const
