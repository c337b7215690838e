// Названия группировок и чисел отчётов: на экранах, в файлах и письмах.
import type { DimensionName, MetricName } from '../reports/traffic.ts'
import type { reportColumnsEn } from './en-report-columns.ts'

export const reportColumnsRu: {
  dimensions: Record<DimensionName, string>
  metrics: Record<MetricName, string>
} & Record<Exclude<keyof typeof reportColumnsEn, 'dimensions' | 'metrics'>, string> = {
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
    nd: 'Новые депозиты',
    reg_dep: 'Рег/деп',
    deposits: 'Все депозиты',
    deposits_amount: 'Сумма всех депозитов',
    first_day_amount: 'Сумма первого дня',
    first_amount: 'Сумма первых депозитов',
    bets: 'Ставки',
    avg_bet: 'Средняя ставка',
    avg_check: 'Средний чек',
    avg_new_check: 'Средний новый чек',
    income: 'Доход',
    s: 'Расход',
    cfd: 'cFD',
    roi: 'ROI',
    ql: 'Квалифицированы',
    size: 'Размер',
    players: 'Игроки',
    retention: 'Удержание',
    cohort_check: 'Средний чек',
  },
  total: 'Итого',
  file: 'Отчёт',
}
