export const partnerStream = {
  title: 'Потоки',
  one: 'поток',
  subtitle: 'Потоки трафика партнёра',
  create: 'Добавить поток',
  fields: { partner: 'Партнёр', title: 'Название', traffic_source: 'Источник трафика' },
} as const
