export const event = {
  title: 'События',
  one: 'событие',
  subtitle: 'Как события называются в системах партнёров',
  create: 'Новое событие',
  fields: { name: 'Событие', partner: 'Партнёр', parameter_name: 'Имя параметра' },
} as const
