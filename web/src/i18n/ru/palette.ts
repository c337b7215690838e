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
  verbs: { create: 'новый новая новое новую создать добавить', report: 'отчёт отчет', before: 'для по на за в об о' },
  newPartnerOffer: 'Новая связка: {{title}}',
  reportOf: 'Отчёт: {{title}}, {{period}}',
  reportIn: '{{title}}, {{period}}',
  periods: {
    today: 'сегодня',
    yesterday: 'вчера',
    current_week: 'эта неделя|эту неделю|этой неделе|текущая неделя|текущую неделю|текущей неделе',
    previous_week: 'прошлая неделя|прошлую неделю|прошлой неделе|предыдущая неделя|предыдущую неделю',
    current_month: 'этот месяц|этом месяце|текущий месяц|текущем месяце',
    previous_month: 'прошлый месяц|прошлом месяце|предыдущий месяц|предыдущем месяце',
    current_year: 'этот год|этом году|текущий год|текущем году',
    previous_year: 'прошлый год|прошлом году|предыдущий год|предыдущем году',
  },
  empty: 'По запросу «{{query}}» ничего нет',
  hint: '↑ ↓ выбрать, Enter открыть, Esc закрыть',
  inactive: 'неактивно',
  searchedFor: 'Показано по запросу «{{query}}»',
  failed: 'Поиск по записям сейчас не работает. Экраны и действия доступны.',
}
