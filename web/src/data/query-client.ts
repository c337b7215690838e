// The cache of server state. Rejections are not retried; missing responses and overload are retried twice.
import { notifyManager, QueryClient } from '@tanstack/react-query'
import { HttpError } from './http-error.ts'

const isRetryable = (error: unknown) =>
  error instanceof HttpError && (error.status === 0 || error.status === 502 || error.status === 503)

// A change that is shown at once is drawn before the browser takes the next input: by a timer, a checkbox would jump back first.
notifyManager.setScheduler(queueMicrotask)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && isRetryable(error),
      refetchOnWindowFocus: false,
    },
  },
})

/** Keys of cached queries. Everything about an entity starts with its name, so that one prefix invalidates all of it. */
export const keys = {
  entity: (name: string) => ['entity', name] as const,
  list: (name: string, params: unknown) => ['entity', name, 'list', params] as const,
  row: (name: string, id: number | string) => ['entity', name, 'row', String(id)] as const,
  lookup: (name: string, query: string) => ['entity', name, 'lookup', query] as const,
  report: (name: string, filter: unknown) => ['report', name, filter] as const,
}
