export const playersReportApi = {
  title: 'Отчёты по игрокам (API)',
  one: 'запрос',
  subtitle: 'Запросы к API игроков и ответы на них',
  create: 'Новый запрос',
  fields: {
    report_date: 'Дата отчёта',
    advertiser: 'Рекламодатель',
    requested_site_ids: 'Запрошенные Site ID',
    status: 'Статус',
    warnings: 'Предупреждения',
    original_response: 'Исходный ответ',
    report: 'Отчёт',
  },
  choices: {
    status: {
      waiting: 'Ожидает',
      processing: 'Выполняется',
      success: 'Успешно',
      warnings: 'С предупреждениями',
      failed: 'Не удалось',
    },
  },
} as const
