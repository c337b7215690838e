export const landing = {
  title: 'Лендинги',
  one: 'лендинг',
  subtitle: 'Страницы рекламодателей, добавляются к их доменам',
  create: 'Новый лендинг',
  fields: { title: 'Название', value: 'Значение', sub_id: 'Sub ID' },
} as const
