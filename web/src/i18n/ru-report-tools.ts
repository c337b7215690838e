// Russian words of what works with any report.
import type { reportToolsEn } from './en-report-tools.ts'
import type { Shape } from './shape.ts'

export const reportToolsRu: Shape<typeof reportToolsEn> = {
  notice: {
    inaccurate: 'До завершения цифры могут быть неточными.',
    updated: 'Данные этого отчёта обновились.',
    reload: 'Перезагрузить отчёт',
    close: 'Скрыть сообщение',
  },
  ages: {
    title: 'Учтено всё, что произошло до этих моментов:',
    clicks: 'клики',
    players: 'игроки и депозиты',
    spends: 'расходы',
    built: 'Отчёт построен в {{time}}.',
  },
}
