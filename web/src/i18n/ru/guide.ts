// Russian words around the pages of the guide.
import type { guideEn } from '../en/guide.ts'
import type { Shape } from '../shape.ts'

export const guideRu: Shape<typeof guideEn> = {
  title: 'Справка',
  contents: 'Все страницы',
  search: 'Поиск по справке',
  nothing: 'В справке нет ничего о «{{query}}».',
}
