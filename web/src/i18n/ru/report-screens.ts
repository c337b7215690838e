// Русские названия экранов отчётов.
import type { reportScreensEn } from '../en/report-screens.ts'
import type { Shape } from '../shape.ts'

export const reportScreensRu = {
  'general-report': {
    title: 'Общий отчёт',
    subtitle: 'Трафик и деньги, до четырёх уровней',
  },
  'general-report-old': {
    title: 'Общий отчёт, таблица',
    subtitle: 'Те же числа одной плоской таблицей',
  },
  'general-report-click': {
    title: 'Отчёт по кликам',
    subtitle: 'Действия игроков — в день и в разрезах клика, который их привёл',
  },
  'general-report-click-old': {
    title: 'Отчёт по кликам, таблица',
    subtitle: 'Отчёт по кликам одной плоской таблицей',
  },
  'cohort-analysis': {
    title: 'Когорты',
    subtitle: 'Что игроки каждого периода принесли в каждый следующий период',
  },
  'cohort-analysis-old': {
    title: 'Когорты, таблица',
    subtitle: 'Когорты одной плоской таблицей: строка на каждый период',
  },
  'cohort-analysis-cumulative': {
    title: 'Когорты, накопительно',
    subtitle: 'Что игроки каждого периода принесли к концу каждого следующего',
  },
  'costs-report': {
    title: 'Расходы',
    subtitle: 'Расход по партнёрам, потокам, странам и дням и его результат',
  },
  'partners-report': {
    title: 'Отчёт по партнёрам',
    subtitle: 'Первые депозиты по дням, неделям или месяцам',
  },
  'new-streams': {
    title: 'Новые потоки',
    subtitle: 'Потоки, ожившие за период, и всё, что они принесли с тех пор',
  },
  'budget-plan': {
    title: 'План бюджета',
    subtitle: 'Сколько можно потратить за месяц, сколько потрачено и чего ждать',
  },
  dashboard: {
    title: 'Дашборд',
    subtitle: 'Как идут дела и что ждёт вас',
  },
} satisfies Shape<typeof reportScreensEn>
