export const partnerGroupManager = {
  title: 'Менеджеры',
  one: 'менеджер',
  subtitle: 'Кто ведёт партнёра в группе',
  create: 'Добавить менеджера',
  fields: { partner_partner_group: 'Группа', user: 'Менеджер', is_main: 'Главный менеджер' },
} as const
