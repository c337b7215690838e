export const landing = {
  title: 'Landings',
  one: 'landing',
  subtitle: 'Pages of advertisers, appended to their domains',
  create: 'New landing',
  fields: { title: 'Title', value: 'Value', sub_id: 'Sub ID' },
} as const
