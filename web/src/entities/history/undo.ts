// Offers to undo what a request has just changed, in the notification that reports it.
import { UNDO_CAP } from '@tributary/contract/calls/audit-log'
import i18next from 'i18next'
import { http } from '../../data/http.ts'
import { queryClient } from '../../data/query-client.ts'
import { notifyReversible } from '../../ui/notice-action.tsx'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'

interface Undoable {
  /** How many rows the requests have changed. Too many cannot be undone. */
  readonly rows?: number
  /** Runs once it is undone, before lists are loaded again. */
  readonly onUndone?: () => unknown
}

export function notifyUndoable(
  message: string,
  requests: readonly string[],
  { rows = 1, onUndone }: Undoable = {},
): void {
  if (requests.length === 0 || rows === 0 || rows > UNDO_CAP) {
    notifySuccess(message)
    return
  }
  notifyReversible(message, () => undo(requests, onUndone))
}

async function undo(requests: readonly string[], onUndone?: () => unknown): Promise<void> {
  try {
    await http.post('audit_log/undo', { requests })
    await onUndone?.()
    notifySuccess(i18next.t(($) => $.history.undone))
  } catch (error) {
    notifyFailure(error)
  }
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'entity' })
}
