// Reloads the data that a close, a reopening or a confirmation changes.
import { useQueryClient } from '@tanstack/react-query'
import { keys } from '../../data/query-client.ts'

const CHANGED = ['period_close', 'period_close_partner', 'ledger_entry', 'statement', 'payment_invoice'] as const

export function useReload(): () => Promise<unknown> {
  const cache = useQueryClient()
  return () => Promise.all(CHANGED.map((name) => cache.invalidateQueries({ queryKey: keys.entity(name) })))
}
