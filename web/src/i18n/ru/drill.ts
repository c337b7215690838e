// Russian words of the records behind a number.
import type { drillEn } from '../en/drill.ts'
import type { Shape } from '../shape.ts'

export const drillRu: Shape<typeof drillEn> = {
  equals: '= {{number}}',
  numerator: 'из чего',
  moved: 'В отчёте было {{shown}}; с тех пор число изменилось, отчёт обновляется.',
  deleted: 'Клики за {{months}} удалены по сроку хранения: в отчёте они учтены, но показать их нельзя.',
  none: 'За этим числом ничего не стоит.',
  of: '{{from}}–{{to}} из {{total}}',
  entered: 'внесён',
  player: 'за игрока',
  unique: 'уникальный',
  duplicate: 'повторный',
  columns: {
    day: 'День',
    time: 'Время',
    click: 'Клик',
    player: 'Игрок',
    partner: 'Партнёр',
    offer: 'Оффер',
    stream: 'Поток',
    source: 'Источник',
    country: 'Страна',
    site: 'Site ID',
    sub: 'Sub ID',
    promocode: 'Промокод',
    uniqueness: 'Уникальность',
    registered: 'Регистрация',
    firstDeposit: 'Первый депозит',
    type: 'Вид',
    terms: 'Цена или процент',
  },
}
