// Russian sentences of alerts, for the dashboard and mails.
import type { AlertSentences } from '../../alerts.ts'

export const alertsRu: AlertSentences = {
  overlimit: { title: 'Превышение лимита', text: 'План {planned} {currency} исчерпан: потрачено {actual}' },
  overlimit_expected: {
    title: 'Скоро превышение',
    text: 'Потрачено {actual} из {planned} {currency}. Осталось дней при таком темпе: {days}',
  },
  spend_without_plan: { title: 'Расход без плана', text: 'Потрачено {actual} {currency}, план не задан' },
  budget_deficit: {
    title: 'Нехватка бюджета',
    text: 'Прогноз на месяц: {prediction} {currency}, план: {planned}',
  },
  spend_rise: {
    title: 'Рост расходов',
    text: 'Прогноз на месяц: {prediction} {currency}, прошлый месяц: {previous}',
  },
  missing_spends: {
    title: 'Нет расходов',
    text: 'Дней с активностью и без расхода: {days}, первый — {first}',
  },
  failing_host: {
    title: 'Сбой хоста постбэков',
    text: 'За сутки постбэков: {calls}, с ошибкой: {failed}, ждут повтора: {retrying}',
  },
  resolutions_due: {
    title: 'Ждут решения',
    text: 'Квалифицированных игроков без решения об оплате: {count}; самое раннее окончание удержания: {first}',
  },
  sheet_warnings: {
    title: 'Таблицы с замечаниями',
    text: 'Предупреждений: {warnings}, прочитана {day}',
  },
  player_report_warnings: {
    title: 'Отчёты с замечаниями',
    text: 'Статус: {status}, {day}. Предупреждений: {warnings}',
  },
  silent_partner_offer: {
    title: 'Молчащие связки',
    text: 'Нет кликов с {last}; до этого кликов в день: {rate}',
  },
  unapproved_partners: {
    title: 'Партнёры на одобрение',
    text: 'Ждут: {count}, самый давний — с {first}',
  },
  unapproved_offers: {
    title: 'Офферы на одобрение',
    text: 'Ждут: {count}, самый давний — с {first}',
  },
  unapproved_partner_offers: {
    title: 'Связки на одобрение',
    text: 'Ждут: {count}, самая давняя — с {first}',
  },
}
