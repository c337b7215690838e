// Russian words of the schedules in the settings.

import type { settingsEn } from '../en/settings.ts'
import type { Shape } from '../shape.ts'

export const settingsRu: Shape<typeof settingsEn> = {
  changedBy: 'Последним изменил: {{name}}, {{at}} — {{fields}}',
  last: 'последний {{at}}',
  lastFiles_one: 'последний {{at}}, {{count}} файл',
  lastFiles_few: 'последний {{at}}, {{count}} файла',
  lastFiles_many: 'последний {{at}}, {{count}} файлов',
  lastFiles_other: 'последний {{at}}, {{count}} файла',
  lastMails: 'последний {{at}}, писем: {{mails}}',
  never: 'ещё не запускался',
  running: 'выполняется с {{at}}',
  next: 'следующий {{at}}',
  failed: 'не удался: {{reason}}',
  off: {
    not_set_up: 'не запускается, потому что не настроено',
    held: 'не запускается, пока ничего не отправляется наружу',
  },
}
