export const partnerGroup = {
  title: 'Группы партнёров',
  one: 'группа партнёров',
  subtitle: 'Партнёры под общим руководством; тимлиды видят только свои группы',
  create: 'Новая группа',
  fields: {
    title: 'Название',
    type: 'Тип',
    status: 'Статус',
    team_leaders: 'Тимлиды',
    team_leader_for_analysts: 'Тимлид для аналитиков',
    crm_department_id: 'ID отдела в CRM',
    offers: 'Офферы',
    partners: 'Партнёры',
    managers: 'Менеджеры',
    partner_partner_groups: 'Партнёры и менеджеры',
  },
} as const
