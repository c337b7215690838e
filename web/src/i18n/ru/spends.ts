// Русские слова введённых расходов.

import type { spendsEn } from '../en/spends.ts'
import type { Shape } from '../shape.ts'

export const spendsRu: Shape<typeof spendsEn> = {
  accept: 'Принять заявки',
  acceptQuestion_one: 'Принять заявку в {{rows}} строке?',
  acceptQuestion_few: 'Принять заявки в {{rows}} строках?',
  acceptQuestion_many: 'Принять заявки в {{rows}} строках?',
  acceptQuestion_other: 'Принять заявки в {{rows}} строках?',
  acceptText: 'Заявленная сумма становится принятой и входит в отчёты. Строки без заявки не изменятся.',
}
