// Whether an id that came from outside can be one of a dimension's groups.
import { isDay } from '@tributary/contract/period'
import { type DimensionName, dimensionOf } from '@tributary/contract/reports/traffic'
import type { GroupId } from './read-rows.ts'

export function isFittingId(level: DimensionName, id: GroupId): boolean {
  const { value } = dimensionOf(level)
  if (value === 'reference') return typeof id === 'number'
  return typeof id === 'string' && (value === 'text' || isDay(id))
}
