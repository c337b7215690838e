// Russian sentences of alerts, for the dashboard and mails.
import type { AlertName } from '../../alerts.ts'

export const alertsRu: Record<AlertName, { readonly title: string; readonly text: string }> = {
  overlimit: { title: 'Превышение лимита', text: 'План {planned} {currency} исчерпан: потрачено {actual}' },
  overlimit_expected: {
    title: 'Скоро превышение',
    text: 'Дней до исчерпания плана: {days}. Потрачено {actual} из {planned} {currency}',
  },
  spend_without_plan: { title: 'Расход без плана', text: 'Потрачено {actual} {currency}, план не задан' },
  budget_deficit: {
    title: 'Нехватка бюджета',
    text: 'По прогнозу месяц закончится на {prediction} из {planned} {currency}',
  },
  spend_rise: {
    title: 'Рост расходов',
    text: 'По прогнозу месяц закончится на {prediction} {currency}; прошлый месяц: {previous}',
  },
  missing_spends: {
    title: 'Нет расходов',
    text: 'Дней с активностью и без расхода: {days}, первый — {first}',
  },
}
