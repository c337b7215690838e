// The cache of server state. Refusals are answers: they are not asked again; silence and overload are, twice.
import { QueryClient } from '@tanstack/react-query'
import { HttpError } from './http-error.ts'

const isWorthRetrying = (error: unknown) =>
  error instanceof HttpError && (error.status === 0 || error.status === 502 || error.status === 503)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && isWorthRetrying(error),
      refetchOnWindowFocus: false,
    },
  },
})

/** Keys by which screens find and drop what they know: everything about an entity starts with its name. */
export const keys = {
  entity: (name: string) => ['entity', name] as const,
  list: (name: string, params: unknown) => ['entity', name, 'list', params] as const,
  row: (name: string, id: number | string) => ['entity', name, 'row', String(id)] as const,
  lookup: (name: string, query: string) => ['entity', name, 'lookup', query] as const,
  report: (name: string, filter: unknown) => ['report', name, filter] as const,
}
