export const product = {
  title: 'Продукты',
  one: 'продукт',
  subtitle: 'Что продают офферы',
  create: 'Новый продукт',
  fields: { title: 'Название' },
} as const
