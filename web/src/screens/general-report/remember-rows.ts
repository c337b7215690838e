// The chips call what was chosen as the rows did.
import { entityOf } from '../../reports/filter/filter-entity.ts'
import { rememberOptions } from '../../reports/filter/option-titles.ts'
import { type ChosenRows, filterOfDimension } from './row-filters.ts'

export function remember(dimension: ChosenRows['dimension'], groups: ChosenRows['groups']): void {
  const filter = filterOfDimension(dimension)
  const entity = filter === null ? null : entityOf(filter)
  if (entity !== null)
    rememberOptions(
      entity,
      groups.map(({ id, title }) => ({ id, title })),
    )
}
