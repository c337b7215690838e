// Russian words of cohorts, costs, new deposits, new streams and the dashboard.
import type { reportKindsEn } from '../en/report-kinds.ts'
import type { Shape } from '../shape.ts'

export const reportKindsRu = {
  kinds: {
    unit: 'Период',
    cohorts_one: '{{count}} когорта',
    cohorts_few: '{{count}} когорты',
    cohorts_many: '{{count}} когорт',
    cohorts_other: '{{count}} когорты',
    cohort: 'Когорта',
    cohortBy: 'По',
    bases: { registration: 'Регистрации', first_deposit: 'Первому депозиту' },
    average: 'Среднее по полным периодам',
    cohortLegend: 'Прочерк — период ещё не начался · штриховка — не закончился · зелёный край — окупилось',
    firstDay: 'Первая активность',
    chart: 'График',
    table: 'Таблица',
    efficiency: 'Эффективность',
    topPartners: 'Топ-5 партнёров',
    topCountries: 'Топ-5 стран',
    all: 'Все',
  },
} satisfies Shape<typeof reportKindsEn>
