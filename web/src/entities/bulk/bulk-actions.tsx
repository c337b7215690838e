// Changes all selected rows: asks first, with their number, then reports the outcome and names rejected rows.
import { modals } from '@mantine/modals'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { BulkAnswer, Selection } from '@tributary/contract/selection'
import i18next from 'i18next'
import { createElement } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { followCall, newRequestId } from '../../data/live.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import { formatCount } from '../../lib/number-format.ts'
import { askForConfirmation } from '../../ui/confirm.ts'
import { notifyFailure } from '../../ui/notify.ts'
import { notifyUndoable } from '../history/undo.ts'
import classes from '../list/reference-list.module.css'
import { switchWords } from '../list/row-actions.tsx'
import { openNote } from './progress-note.tsx'

/**
 * Repeats `send`, which changes rows for at most a minute, while rows are left and it makes progress. `send` receives the number of rows
 * that earlier calls changed. Returns the outcome of all calls.
 */
export async function repeatUntilDone(send: (before: number) => Promise<BulkAnswer>): Promise<BulkAnswer> {
  let outcome = await send(0)
  for (let last = outcome; last.left > 0 && last.changed > 0; ) {
    last = await send(outcome.changed)
    // Changed and unchanged rows of earlier calls count as unchanged in the next one; rejected rows are rejected again.
    outcome = { ...last, changed: outcome.changed + last.changed, unchanged: outcome.unchanged, absent: outcome.absent }
  }
  return outcome
}

/** Shows the outcome for the selected rows: changed, rejected with reasons, no longer existing. */
function BulkOutcome({ outcome }: { outcome: BulkAnswer }) {
  const { t } = useTranslation()
  const { changed, unchanged, absent, left, refused, refusals } = outcome
  const of = (count: number) => ({ count, rows: formatCount(count) ?? '' })
  const more = refused - refusals.length
  return (
    <div>
      <p>{t(($) => $.lists.changedRows, of(changed))}</p>
      {unchanged > 0 ? <p>{t(($) => $.lists.unchangedRows, of(unchanged))}</p> : null}
      {absent > 0 ? <p>{t(($) => $.lists.absentRows, of(absent))}</p> : null}
      {left > 0 ? <p>{t(($) => $.lists.leftRows, of(left))}</p> : null}
      {refused > 0 ? (
        <>
          <p>{t(($) => $.lists.refusedRows, of(refused))}</p>
          <ul className={classes.list}>
            {refusals.map(({ id, title, message }) => (
              <li key={id}>
                <b>{title}</b>: {message}
              </li>
            ))}
            {more > 0 ? <li>{t(($) => $.engine.moreReferences, { count: more })}</li> : null}
          </ul>
        </>
      ) : null}
    </div>
  )
}

/** Resolves true if something was changed. */
export async function activateSelected(
  name: EntityName,
  selection: Selection,
  count: number,
  isActive: boolean,
): Promise<boolean> {
  const { titleOfMany, text, act, done } = switchWords(name, isActive)
  const title = titleOfMany({ count, rows: formatCount(count) ?? '' })
  if (!(await askForConfirmation({ title, text, confirm: act }))) return false
  return changeSelected(
    name,
    (requestId) =>
      http.put<BulkAnswer>(`${name}/activate`, selection, { query: [['activate', isActive ? '1' : '0']], requestId }),
    { done, isUndoable: true },
  )
}

interface BulkWords {
  /** What was done, before the number of rows: 'Activated'. */
  readonly done: string
  readonly isUndoable?: boolean
}

/** Sends an entity's bulk action and shows its outcome. Long calls show their progress under the request id. */
export async function changeSelected(
  name: EntityName,
  send: (requestId: string) => Promise<BulkAnswer>,
  { done, isUndoable = false }: BulkWords,
): Promise<boolean> {
  const requests: string[] = []
  const sendNoted = (requestId: string) => {
    requests.push(requestId)
    return send(requestId)
  }
  try {
    const outcome = await sendUntilDone(sendNoted)
    showOutcome(outcome, done, isUndoable ? requests : [])
    await queryClient.invalidateQueries({ queryKey: keys.entity(name) })
    return true
  } catch (error) {
    notifyFailure(error)
    return false
  }
}

const sendUntilDone = (send: (requestId: string) => Promise<BulkAnswer>): Promise<BulkAnswer> =>
  repeatUntilDone((before) => sendWithNote(send, before))

/** `before`: rows that earlier calls changed. */
async function sendWithNote(send: (requestId: string) => Promise<BulkAnswer>, before: number): Promise<BulkAnswer> {
  const requestId = newRequestId()
  let note: ReturnType<typeof openNote> | undefined
  const leave = followCall(requestId, (done, total) => {
    note ??= openNote(i18next.t(($) => $.lists.changing))
    const [gone, whole] = [before + done, before + total]
    note.show({ fraction: gone / whole, done: gone, rows: whole })
  })
  try {
    return await send(requestId)
  } finally {
    leave()
    note?.close()
  }
}

/** `requests` can be undone. */
function showOutcome(outcome: BulkAnswer, done: string, requests: readonly string[]): void {
  const { changed, unchanged, refused, absent, left } = outcome
  if (refused === 0 && absent === 0 && left === 0) {
    const message =
      changed === 0
        ? i18next.t(($) => $.lists.unchangedRows, { count: unchanged, rows: formatCount(unchanged) ?? '' })
        : `${done}: ${formatCount(changed)}`
    notifyUndoable(message, requests, { rows: changed })
    return
  }
  modals.open({
    title: i18next.t(($) => $.lists.outcomeTitle),
    children: createElement(BulkOutcome, { outcome }),
  })
}
