export const savedView = {
  title: 'Сохранённые виды',
  one: 'вид',
  subtitle: 'Фильтры и порядок под именем',
  create: 'Сохранить вид',
  fields: {
    user: 'Владелец',
    list: 'Список',
    title: 'Название',
    state: 'Состояние',
    shared: 'Общий',
    is_default: 'По умолчанию',
  },
} as const
