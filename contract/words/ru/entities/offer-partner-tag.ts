export const offerPartnerTag = {
  title: 'Теги связок',
  one: 'тег связки',
  subtitle: 'Слова, по которым разбирают связки',
  create: 'Новый тег',
  fields: { title: 'Название' },
} as const
