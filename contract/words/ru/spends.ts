// Russian sentences about entered spend.
import type { spendsEn } from '../en/spends.ts'

export const spendsRu: Record<keyof typeof spendsEn, string> = {
  spend_cell_changed: 'Тем временем кто-то ввёл сюда {sum}',
  spend_cell_emptied: 'Тем временем кто-то очистил эту ячейку',
  spend_outside_month: 'Этот день не входит в месяц',
  spend_repeated: 'Тот же поток, страна, сайт и день ещё раз: учтена первая ячейка',
  spend_repeated_cell: 'Тот же поток, страна, сайт и день ещё раз: учтена ячейка {first}',
  spend_repeated_site: 'Та же связка и день ещё раз, с другим сайтом или без него: учтена ячейка {first}',
  spend_entered_whole: 'За этот день по этой связке уже введено {sum} без сайта: измените этот расход',
  spend_entered_by_site: 'За этот день по этой связке уже введено {sum} с сайтом {site}: измените этот расход',
  spend_replaces_import: '{sum}, введённые вручную, заменяют {before} из импорта',
  spend_replaces_sheet: '{sum} заменяют {before} из таблицы',
  spend_kept_manual: 'Вручную введено {before}, это важнее, чем {sum} из импорта',
  spread_no_day:
    'Ни один день этого месяца не принимает расход: нужна агентская связка с кликами, регистрациями или депозитами',
  spend_sum_negative: 'Расход не может быть отрицательным',
  spend_two_ways: 'Это можно прочитать двояко: запишите с двумя знаками после запятой или простым числом',
  spend_claim_without_offer: 'У потока нет связки в этой стране: добавьте её и примите снова или отклоните заявку',
  spend_claim_there: 'За этот день расход уже есть: заявите свою сумму в нём, через PUT partner_spend/{id}',
  spend_sum_large: 'Это больше, чем может быть расход',
  spend_import_heading:
    'Неверный формат: нужны заголовки «Поток», «Страна», «Дата» и «Сумма» или по столбцу на каждый день',
  spend_import_large: 'Не больше {max} сумм в одном файле',
  spend_import_empty: 'В файле есть заголовки, но под ними нет сумм',
  spend_heading_unknown: '«{heading}» в {cell} — не день: запишите его там как 2026-11-20',
  spend_heading_absent: 'У столбца нет заголовка: впишите день в {cell}, например 2026-11-20',
  spend_column_left: 'Столбец «{heading}» — не день: суммы из него не взяты',
  spend_import_unpacked:
    'В файле больше данных, чем можно прочитать: не больше {max} МБ в распакованном виде. Удалите другие листы, оформление и пустые строки или пришлите CSV',
  spend_stream_absent: 'Не указан поток',
  spend_stream_unknown: 'У вас нет потока с таким названием',
  spend_stream_ambiguous:
    'Поток с таким названием есть у нескольких партнёров: выберите партнёра или добавьте столбец «Партнёр»',
  spend_country_absent: 'Не указана страна',
}
