export const savedView = {
  title: 'Saved views',
  one: 'view',
  subtitle: 'Filters and sort under a name',
  create: 'Save the view',
  fields: {
    user: 'Owner',
    list: 'List',
    title: 'Name',
    state: 'State',
    shared: 'Shared',
    is_default: 'Default',
  },
} as const
