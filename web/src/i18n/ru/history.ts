// Русские слова истории записи.
import type { historyEn } from '../en/history.ts'
import type { Shape } from '../shape.ts'

export const historyRu = {
  title: 'История',
  empty: 'Изменений ещё не было',
  emptyHint: 'Здесь появится каждое изменение: кто его сделал, когда и как было раньше.',
  more: 'Более ранние изменения',
  before: 'было',
  after: 'стало',
  restore: 'Вернуть эту версию',
  restoreBefore: 'Вернуть то, что было до',
  restoreQuestion: 'Вернуть эту версию?',
  restoreText: 'Запись станет такой, какой была тогда. Введённое, но не сохранённое пропадёт.',
  revive: 'Восстановить',
  reviveQuestion: 'Восстановить запись?',
  reviveText: 'Она вернётся такой, какой была, вместе со строками, удалёнными с ней.',
  undo: 'Отменить',
  undone: 'Отменено',
  restored: 'Восстановлено',
  named: '«{{title}}»',
  wasRestored: 'Возвращена прежняя версия',
  openRecord: 'Открыть запись',
  withProduct: 'Показать изменения системы',
  withAccess: 'Показать входы',
} as const satisfies Shape<typeof historyEn>
