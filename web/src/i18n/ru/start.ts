// Русские слова первых шагов.
import type { startEn } from '../en/start.ts'
import type { Shape } from '../shape.ts'

export const startRu: Shape<typeof startEn> = {
  title: 'Первые шаги',
  count: 'Сделано {{done}} из {{all}}',
  hide: 'Скрыть',
  go: 'Открыть',
  done: 'Сделано',
  open: 'Предстоит',
  needs: 'Сначала нужны:',
  steps: {
    advertiser: { title: 'Добавьте рекламодателя', text: 'Кто платит за игроков: домен и страна с Media ID' },
    offer: { title: 'Добавьте оффер', text: 'За что платит рекламодатель; одобрите его' },
    partner: { title: 'Добавьте партнёра', text: 'Кто приводит посетителей; добавьте поток и одобрите партнёра' },
    offer_partner: { title: 'Создайте связку', text: 'Соединяет поток с оффером; в ней партнёрская ссылка' },
    click: { title: 'Проверьте клик', text: 'Откройте партнёрскую ссылку связки один раз' },
  },
}
