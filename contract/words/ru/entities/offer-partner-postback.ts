export const offerPartnerPostback = {
  title: 'Постбэки связки',
  one: 'адрес постбэка',
  subtitle: 'Адреса, на которые рекламодатель сообщает о событиях',
  create: 'Добавить постбэк',
  fields: { offer_partner: 'Связка', uuid: 'UUID', kind: 'Вид', title: 'Название', url: 'Адрес' },
  choices: { kind: { main: 'Основной', extra: 'Дополнительный' } },
} as const
