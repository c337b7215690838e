// Названия группировок и чисел отчётов: на экранах, в файлах и письмах.
import type { ReportWarning } from '../../reports/general.ts'
import type { DimensionName, MetricName } from '../../reports/traffic.ts'
import type { reportColumnsEn } from '../en/report-columns.ts'

export const reportColumnsRu: {
  dimensions: Record<DimensionName, string>
  metrics: Record<MetricName, string>
  files: Record<keyof (typeof reportColumnsEn)['files'], string>
  warnings: Record<ReportWarning, string>
  income_report: Record<keyof (typeof reportColumnsEn)['income_report'], string>
} & Record<
  Exclude<keyof typeof reportColumnsEn, 'dimensions' | 'metrics' | 'files' | 'warnings' | 'income_report'>,
  string
> = {
  dimensions: {
    offer: 'Оффер',
    advertiser: 'Рекламодатель',
    product: 'Продукт',
    payment_model: 'Модель оплаты',
    partner: 'Партнёр',
    stream: 'Поток',
    partner_group: 'Группа партнёров',
    manager: 'Менеджер',
    affiliate_id: 'Affiliate ID',
    traffic_source: 'Источник трафика',
    landing: 'Лендинг',
    site_id: 'Site ID',
    sub_id: 'Sub ID',
    site_id_sub_id: 'Site ID и Sub ID',
    promocode: 'Промокод',
    country: 'Страна',
    actual_country: 'Фактическая страна',
    player_outer_id: 'Внешний ID игрока',
    day: 'День',
    week: 'Неделя',
    month: 'Месяц',
  },
  metrics: {
    cc: 'Клики',
    uc: 'Уникальные клики',
    click_reg: 'Клик/рег',
    cr: 'Регистрации',
    nd: 'Первые депозиты',
    reg_dep: 'Рег/деп',
    deposits: 'Все депозиты',
    deposits_amount: 'Сумма всех депозитов',
    first_day_amount: 'Сумма первого дня',
    first_amount: 'Сумма первых депозитов',
    bets: 'Ставки',
    avg_bet: 'Средняя ставка',
    avg_check: 'Средний чек',
    avg_new_check: 'Средний первый депозит',
    income: 'Доход',
    s: 'Расход',
    profit: 'Прибыль',
    cfd: 'cFD',
    roi: 'ROI',
    ql: 'Квалифицированы',
    size: 'Размер',
    players: 'Игроки',
    retention: 'Удержание',
    cohort_check: 'Средний чек',
  },
  warnings: {
    rate_missing: 'Часть сумм не вошла: на их день нет курса валюты.',
    known_late: 'Изменения записываются с более позднего момента: что было известно тогда, целиком не восстановить.',
    clicks_deleted:
      'Клики некоторых месяцев удалены по сроку хранения. От них остались суммы по дням, связкам, сайтам и лендингам, поэтому кликов здесь меньше.',
    levels_cut: 'Слишком много строк для одного экрана: последние группы не показаны. Сузьте фильтр или скачайте файл.',
  },
  income_report: {
    header: 'Доход получен',
    some: 'частично',
    none: 'нет отчёта',
    note: 'За часть дней отчёта о доходе ещё нет. В строках «частично» сложены дни с отчётом; в строках «нет отчёта» доход, прибыль и ROI неизвестны.',
  },
  known_on: 'По данным на',
  total: 'Итого',
  cohort: 'Когорта',
  average: 'Среднее',
  period: 'Период',
  first_day: 'Первый день',
  all: 'Все',
  file: 'Отчёт',
  files: {
    cost_report: 'Расходы',
    cohort_analysis: 'Когорты',
    cohort_analysis_old: 'Когорты списком',
    cohort_analysis_cumulative: 'Когорты с накоплением',
    'partner_report/new_deposit': 'Первые депозиты',
    'partner_report/stream_report': 'Первые депозиты по потокам',
    new_streams: 'Новые потоки',
    dashboard: 'Дашборд',
    'budget_report/report': 'План бюджета',
  },
}
