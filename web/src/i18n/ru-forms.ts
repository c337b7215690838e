// Русские слова форм помимо полей: файлы, присутствие, проверки, ссылки.
import type { formsEn } from './en-forms.ts'
import type { Shape } from './shape.ts'

export const formsRu = {
  uploadHint: '{{types}}, до {{size}} МБ',
  uploadRemove: 'Убрать «{{name}}»',
  uploadProgress: 'Отправлено: {{percent}}%',
  uploadSize: '{{size}} МБ',
  inWork: 'В работе:',
  since: '{{who}}, с {{since}}',
  meElsewhere: 'вы, в другом окне',
  wouldOverwrite: 'Сохранение может перезаписать их изменения.',
  savedMeanwhile: 'Сохранена более новая версия этой записи.',
  seeChanges: 'Посмотреть различия',
  loadNewer: 'Загрузить её',
  both: 'Обе',
  rowsAdded_one: 'добавлена {{count}} строка',
  rowsAdded_few: 'добавлены {{count}} строки',
  rowsAdded_many: 'добавлено {{count}} строк',
  rowsAdded_other: 'добавлено {{count}} строки',
  rowsChanged_one: 'изменена {{count}}',
  rowsChanged_few: 'изменены {{count}}',
  rowsChanged_many: 'изменено {{count}}',
  rowsChanged_other: 'изменено {{count}}',
  rowsRemoved_one: 'удалена {{count}}',
  rowsRemoved_few: 'удалены {{count}}',
  rowsRemoved_many: 'удалено {{count}}',
  rowsRemoved_other: 'удалено {{count}}',
} as const satisfies Shape<typeof formsEn>
