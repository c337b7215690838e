// Russian words of the queue of alerts.
import { alertsRu as sentences } from '@tributary/contract/words/ru/alerts'

export const alertsRu = {
  title: 'Оповещения',
  kinds: {
    overlimit: sentences.overlimit.title,
    overlimit_expected: sentences.overlimit_expected.title,
    spend_without_plan: sentences.spend_without_plan.title,
    budget_deficit: sentences.budget_deficit.title,
    spend_rise: sentences.spend_rise.title,
    missing_spends: sentences.missing_spends.title,
  },
  byKind: 'Оповещения по видам',
  none: 'Сейчас ничто не требует внимания.',
  failed: 'Не удалось загрузить оповещения.',
  showAll: 'Показать все ({{count}})',
  showFirst: 'Показать первые {{count}}',
  showLess: 'Показать меньше',
  more: 'Других оповещений: {{count}}',
  dismiss: 'Скрыть',
  dismissedUntil: 'Скрыто, пока не изменится',
  showDismissed: 'Скрыто: {{count}}',
  hideDismissed: 'Убрать скрытые',
  bringBack: 'Вернуть',
  mail: 'Письмо раз в день',
  mailNext: 'В {{at}}, если есть оповещения',
  mailSent: 'Последнее: {{at}}',
} as const
