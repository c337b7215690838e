// Русские слова проверок, которые показывают разные экраны.
import type { testersEn } from '../en/testers.ts'
import type { Shape } from '../shape.ts'

export const testersRu = {
  event: 'Проверка события рекламодателя',
  eventText:
    'Показывает, что станет с событием, о котором сообщит рекламодатель: какой будет ответ, чей это игрок и кому о нём сообщат. Ничего не записывается, никто не вызывается.',
  judge: 'Проверить',
  taken: 'Событие будет принято (ответ {{status}})',
  refused: 'Событие будет отклонено (ответ {{status}})',
  told: 'Партнёру сообщат',
  nobody: 'Никому',
  events: {
    reg: 'Регистрация',
    dep: 'Депозит',
    bet: 'Ставка',
  },
  fields: {
    player_id: 'ID игрока',
    click_id: 'ID клика',
    site_id: 'Site ID',
    sub_id: 'Sub ID',
    promocode: 'Промокод',
    country: 'Страна',
    date: 'Дата',
    sum: 'Сумма',
    currency: 'Валюта',
    transaction_id: 'ID транзакции',
  },
} as const satisfies Shape<typeof testersEn>
