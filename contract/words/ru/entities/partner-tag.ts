export const partnerTag = {
  title: 'Теги партнёров',
  one: 'тег партнёра',
  subtitle: 'Слова, по которым разбирают партнёров',
  create: 'Новый тег',
  fields: { title: 'Название' },
} as const
