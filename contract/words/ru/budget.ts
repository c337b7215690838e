// Названия плана бюджета: на экране и в файлах.
import type { budgetWordsEn } from '../en/budget.ts'
import type { Texts } from '../entity-words.ts'

export const budgetWordsRu: Texts<typeof budgetWordsEn> = {
  title: 'План бюджета',
  planned: 'План',
  actual: 'Факт',
  free: 'Остаток',
  previous: 'Прошлый месяц',
  prediction: 'Прогноз',
  days_to_overlimit: 'Дней до превышения',
  state: 'Состояние',
  warnings: 'Предупреждения',
  unallocated: 'Неразнесённые расходы (NUS)',
  states: { draft: 'Черновик', proposed: 'Предложен', approved: 'Утверждён' },
  signs: {
    overlimit: 'Превышение лимита',
    overlimit_expected: 'Скоро превышение',
    budget_deficit: 'Нехватка бюджета',
    spend_rise: 'Рост расходов',
    spend_without_plan: 'Расход без плана',
    parts_above_plan: 'Партнёры сверх плана',
    rate_missing: 'Нет курса',
  },
}
