// What is done to the selected rows at once. It asks first, with their number; says what became of them; and names those that were refused.
import { modals } from '@mantine/modals'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { BulkAnswer, Selection } from '@tributary/contract/selection'
import i18next from 'i18next'
import { createElement } from 'react'
import { http } from '../../data/http.ts'
import { followCall, newRequestId } from '../../data/live.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import { formatCount } from '../../lib/number-format.ts'
import { confirmAct } from '../../ui/confirm.ts'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { activeField } from '../list/list-state.ts'
import { BulkOutcome } from './bulk-outcome.tsx'
import { goOn } from './bulk-turns.ts'
import { openNote } from './progress-note.tsx'

/** True when something was done. */
export async function activateSelected(
  name: EntityName,
  selection: Selection,
  count: number,
  isActive: boolean,
): Promise<boolean> {
  const [question, text, confirm] = askWords(activeField(name) === 'enabled', count, isActive)
  if (!(await confirmAct({ title: question, ...(text === null ? {} : { text }), confirm }))) return false
  return changeSelected(name, (requestId) =>
    http.put<BulkAnswer>(`${name}/activate`, selection, { query: [['activate', isActive ? '1' : '0']], requestId }),
  )
}

/** Sends what an entity does to its selected rows, and tells the outcome; how far it is, when it takes long and is sent under the id. */
export async function changeSelected(
  name: EntityName,
  send: (requestId: string) => Promise<BulkAnswer>,
): Promise<boolean> {
  try {
    tellOutcome(await sendToTheEnd(send))
    await queryClient.invalidateQueries({ queryKey: keys.entity(name) })
    return true
  } catch (error) {
    notifyFailure(error)
    return false
  }
}

const sendToTheEnd = (send: (requestId: string) => Promise<BulkAnswer>): Promise<BulkAnswer> =>
  goOn((before) => sendUnderNote(send, before))

/** `before`: rows that an earlier call has changed. */
async function sendUnderNote(send: (requestId: string) => Promise<BulkAnswer>, before: number): Promise<BulkAnswer> {
  const requestId = newRequestId()
  let note: ReturnType<typeof openNote> | undefined
  const leave = followCall(requestId, (done, total) => {
    note ??= openNote(i18next.t(($) => $.lists.changing))
    const [gone, whole] = [before + done, before + total]
    note.show({ share: gone / whole, done: gone, rows: whole })
  })
  try {
    return await send(requestId)
  } finally {
    leave()
    note?.close()
  }
}

function askWords(isPerson: boolean, count: number, isActive: boolean): [string, string | null, string] {
  const values = { count, rows: formatCount(count) ?? '' }
  if (isPerson)
    return isActive
      ? [i18next.t(($) => $.lists.enableQuestion, values), null, i18next.t(($) => $.actions.enable)]
      : [
          i18next.t(($) => $.lists.disableQuestion, values),
          i18next.t(($) => $.lists.disableText),
          i18next.t(($) => $.actions.disable),
        ]
  return isActive
    ? [i18next.t(($) => $.lists.activateQuestion, values), null, i18next.t(($) => $.actions.activate)]
    : [
        i18next.t(($) => $.lists.deactivateQuestion, values),
        i18next.t(($) => $.list.deactivateText),
        i18next.t(($) => $.actions.deactivate),
      ]
}

function tellOutcome(outcome: BulkAnswer): void {
  const { changed, refused, absent, left } = outcome
  const rows = formatCount(changed) ?? ''
  if (refused === 0 && absent === 0 && left === 0) {
    notifySuccess(i18next.t(($) => $.lists.changedRows, { count: changed, rows }))
    return
  }
  modals.open({
    title: i18next.t(($) => $.lists.outcomeTitle),
    children: createElement(BulkOutcome, { outcome }),
    closeButtonProps: { 'aria-label': i18next.t(($) => $.actions.close) },
  })
}
