// Russian words of the dashboard and its queue of alerts.
import { titlesOf } from '@tributary/contract/alerts'
import { alertsRu as sentences } from '@tributary/contract/words/ru/alerts'

export const alertsRu = {
  title: 'Требует внимания',
  kinds: titlesOf(sentences),
  none: 'Сейчас ничто не требует внимания.',
  failed: 'Не удалось загрузить оповещения.',
  more: 'Других оповещений: {{count}}',
  showAll: 'Показать все ({{count}})',
  showUrgent: 'Показать только самые срочные',
  dismiss: 'Скрыть',
  dismissedUntil: 'Скрыто, пока не изменится',
  showDismissed: 'Скрыто: {{count}}',
  hideDismissed: 'Убрать скрытые',
  bringBack: 'Вернуть',
  mail: 'Письмо раз в день',
  mailNext: 'Следующее: {{at}}, если будут оповещения',
  mailSent: 'Последнее: {{at}}',
} as const

export const dashboardRu = {
  chart: 'График',
  table: 'Таблица',
  efficiency: 'Эффективность',
  keyNumbers: 'Ключевые показатели',
  topTotal: 'Пятёрка всего',
  topPartners: 'Топ-5 партнёров',
  topCountries: 'Топ-5 стран',
  all: 'Все',
  arrange: 'Настроить',
  sections: 'Разделы',
} as const
