export const savedView = {
  title: 'Сохранённые представления',
  one: 'представление',
  subtitle: 'Фильтры и порядок под именем',
  create: 'Сохранить представление',
  fields: {
    user: 'Владелец',
    list: 'Список',
    title: 'Название',
    state: 'Состояние',
    shared: 'Общее',
    is_default: 'По умолчанию',
  },
} as const
