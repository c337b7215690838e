// Russian titles of the report screens.
import type { reportScreensEn } from './en-report-screens.ts'
import type { Shape } from './shape.ts'

export const reportScreensRu = {
  'general-report': {
    title: 'Общий отчёт',
    subtitle: 'Клики, регистрации, депозиты, доход и расход, до четырёх уровней',
  },
  'general-report-old': {
    title: 'Общий отчёт, таблица',
    subtitle: 'Те же числа одной плоской таблицей, прямо по исходным фактам',
  },
  'general-report-click': {
    title: 'Отчёт по кликам',
    subtitle: 'Действия игроков — в день и в разрезах клика, который их привёл',
  },
  'general-report-click-old': {
    title: 'Отчёт по кликам, таблица',
    subtitle: 'Отчёт по кликам одной плоской таблицей, прямо по исходным фактам',
  },
} satisfies Shape<typeof reportScreensEn>
