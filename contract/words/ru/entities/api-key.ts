export const apiKey = {
  title: 'Ключи API',
  one: 'ключ API',
  subtitle: 'С ключом программа обращается к API от вашего имени',
  create: 'Новый ключ',
  fields: {
    title: 'Название',
    user: 'Владелец',
    prefix: 'Начало',
    last_used_at: 'Последний вызов',
    expires_at: 'Действует до',
  },
} as const
