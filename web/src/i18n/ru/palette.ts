// Russian words of the palette.

import type { paletteEn } from '../en/palette.ts'
import type { Shape } from '../shape.ts'

export const paletteRu: Shape<typeof paletteEn> = {
  label: 'Поиск по всему',
  placeholder: 'Найти запись, экран или действие…',
  recent: 'Недавнее',
  screens: 'Экраны',
  actions: 'Действия',
  kinds: {
    partner: 'Партнёры',
    offer: 'Офферы',
    offer_partner: 'Связки',
    player: 'Игроки',
    click: 'Клики',
    advertiser: 'Рекламодатели',
    user: 'Пользователи',
  },
  verbs: { create: 'новый новая новое новую создать добавить', report: 'отчёт отчет', before: 'для по на' },
  newPartnerOffer: 'Новая связка: {{title}}',
  reportOf: 'Отчёт: {{title}}, этот месяц',
  inactive: 'неактивно',
  searchedFor: 'Показано по запросу «{{query}}»',
  failed: 'Поиск по записям сейчас не работает. Экраны и действия доступны.',
}
