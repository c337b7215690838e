// Loads the alerts.
import { useQuery } from '@tanstack/react-query'
import type { AlertList } from '@tributary/contract/calls/alert'
import { http } from './http.ts'

/** Alerts are days old rather than minutes. */
const STALE_MS = 60_000
/** An old answer is followed by a newer one, which the server is finding meanwhile. */
const NEWER_MS = 3000

export const ALERTS_KEY = ['alerts'] as const

export const useAlerts = () =>
  useQuery({
    queryKey: ALERTS_KEY,
    queryFn: ({ signal }) => http.get<AlertList>('alert', { signal }),
    staleTime: STALE_MS,
    refetchInterval: ({ state }) => (state.data?.is_old === true ? NEWER_MS : false),
  })
