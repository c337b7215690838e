// Where a filter's options come from: the look-up of its entity, or the values that the facts hold. 'Nothing' is one of them.
import type { LookupAnswer } from '@tributary/contract/list-query'
import { type ReportFilterName, reportFilterOf } from '@tributary/contract/reports/choices'
import { http } from '../../data/http.ts'
import { lookupOf } from '../../data/lookup.ts'
import type { LoadOptions } from '../../ui/lookup/lookup-options.ts'
import { entityOf } from './filter-entity.ts'

export function loadOptionsOf(name: ReportFilterName, notSelected: string): LoadOptions {
  const entity = entityOf(name)
  const load: LoadOptions =
    entity === null
      ? (query, page, signal) =>
          http.get<LookupAnswer>('general_report/values', { query: { field: name, query, page }, signal })
      : lookupOf(entity)
  const none = { id: reportFilterOf(name).kind === 'references' ? 0 : '', title: notSelected }
  return async (query, page, signal) => {
    const answer = await load(query, page, signal)
    const options = answer.options.filter(({ id }) => id !== none.id)
    return { ...answer, options: query === '' && page === 1 ? [none, ...options] : options }
  }
}
