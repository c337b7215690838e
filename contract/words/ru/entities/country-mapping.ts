export const countryMapping = {
  title: 'Другие названия',
  one: 'другое название',
  subtitle: 'Как страну называют рекламодатели',
  create: 'Добавить название',
  fields: { country: 'Страна', title: 'Название' },
} as const
