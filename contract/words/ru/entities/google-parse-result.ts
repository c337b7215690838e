export const googleParseResult = {
  title: 'Журнал разбора расходов',
  one: 'запись разбора',
  subtitle: 'Что прочитано из таблиц расходов партнёров',
  create: 'Новая запись разбора',
  fields: {
    partner: 'Партнёр',
    partner_group: 'Группа',
    file_id: 'ID файла',
    spend_month: 'Месяц расходов',
    parsed_at: 'Разобрано (UTC)',
    status: 'Статус',
    rows_taken: 'Принято строк',
    warnings: 'Предупреждения',
  },
  choices: { status: { success: 'Успешно', warnings: 'Есть предупреждения' } },
} as const
