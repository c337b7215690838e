// Russian words of the overview of a record.
export const overviewRu = {
  tab: 'Обзор',
  tabs: 'Страницы записи',
  details: 'Сведения',
  numbers: 'За {{count}} дней',
  related: 'Связанные записи',
  noRows: 'Пока ничего нет.',
  tasks: 'Что сделать',
  noTasks: 'Ничто не требует внимания.',
  unapproved: 'Не одобрено',
  approve: 'Проверить и одобрить',
  changes: 'Последние изменения',
  leads: 'Дальше',
  links: 'Ссылки и постбэки',
  test: 'Проверить',
  trace: 'Трассировка',
} as const
