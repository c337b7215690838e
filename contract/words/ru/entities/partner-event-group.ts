export const partnerEventGroup = {
  title: 'Группы событий',
  one: 'группа событий',
  subtitle: 'Имена событий, общие для нескольких партнёров',
  create: 'Новая группа событий',
  fields: { title: 'Название', partners: 'Партнёры', events: 'События' },
} as const
