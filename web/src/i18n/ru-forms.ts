// Русские слова форм помимо полей: файлы, присутствие, проверки, ссылки.
import type { formsEn } from './en-forms.ts'
import type { Shape } from './shape.ts'

export const formsRu = {
  uploadHint: '{{types}}, до {{size}} МБ',
  uploadRemove: 'Убрать «{{name}}»',
  uploadProgress: 'Отправлено: {{percent}}%',
  uploadSize: '{{size}} МБ',
} as const satisfies Shape<typeof formsEn>
