export const userRole = {
  title: 'Роли',
  one: 'роль',
  subtitle: 'Шаблоны прав доступа',
  create: 'Новая роль',
  fields: { title: 'Название', kind: 'Вид', permissions: 'Права', built_in: 'Встроенная' },
  choices: { kind: { ADMIN: 'Администратор', TEAM_LEADER: 'Тимлид', MANAGER: 'Менеджер', PARTNER: 'Партнёр' } },
} as const
