// Russian words of reports other than the general ones.
import type { kindsEn } from '../en/kinds.ts'
import type { Shape } from '../shape.ts'

export const kindsRu: Shape<typeof kindsEn> = {
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
}
