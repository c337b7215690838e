// Activates, deactivates or deletes a row: asks first, reports the outcome and reloads the list.

import { Link } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { doesComeBack } from '@tributary/contract/entity'
import type { ErrorReply } from '@tributary/contract/error'
import i18next from 'i18next'
import { createElement } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { HttpError } from '../../data/http-error.ts'
import { newRequestId } from '../../data/live.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import { useLabels } from '../../i18n/labels.ts'
import { askForConfirmation } from '../../ui/confirm.ts'
import { notifyFailure } from '../../ui/notify.ts'
import { entityOf } from '../field/field-at.ts'
import { recordPath } from '../field/row-link.ts'
import { rowTitle } from '../field/row-text.ts'
import { notifyUndoable } from '../history/undo.ts'
import type { Row } from './list-query.ts'
import { activeField } from './list-state.ts'
import classes from './reference-list.module.css'

/** Lists rows that still refer to a row which could not be deleted: by entity, the first ones as links. */
function ReferenceList({ references }: { references: NonNullable<ErrorReply['references']> }) {
  const labels = useLabels()
  const { t } = useTranslation()
  return (
    <div className={classes.groups}>
      {references.map(({ entity, items, total }) => {
        // The server names entities of the same registry.
        const name = entity as EntityName
        return (
          <section key={entity}>
            <h3 className={classes.head}>
              {labels.title(name)} <span className={classes.count}>{total}</span>
            </h3>
            <ul className={classes.list}>
              {items.map(({ id, title }) => {
                const path = recordPath(name, id)
                return <li key={id}>{path === null ? title : <Link to={path}>{title}</Link>}</li>
              })}
              {total > items.length ? (
                <li className={classes.rest}>{t(($) => $.engine.moreReferences, { count: total - items.length })}</li>
              ) : null}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

/** What the user may do with a row. `remove` resolves with false if the row stays. */
export interface RowActions {
  /** Null if the user may not, or if the entity has no such flag. */
  readonly setActive: ((row: Row, isActive: boolean) => Promise<void>) | null
  readonly remove: ((row: Row) => Promise<boolean>) | null
}

/** Sends the change of the flag; an entity may have its own call for it. */
export type SendActive = (row: Row, isActive: boolean, requestId: string) => Promise<unknown>

const forget = (name: EntityName) => queryClient.invalidateQueries({ queryKey: keys.entity(name) })

/** Asks for confirmation, changes the flag and reports the outcome. Never rejects. */
export function activateRow(name: EntityName, send?: SendActive): NonNullable<RowActions['setActive']> {
  const flag = activeField(name) ?? 'active'
  const sendFlag: SendActive = (row, isActive, requestId) =>
    http.patch(`${name}/${row.id}`, { [flag]: isActive }, { requestId })
  return async (row, isActive) => {
    const { titleOfOne, text, act, done } = switchWords(name, isActive)
    const title = rowTitle(name, row)
    if (!(await askForConfirmation({ title: titleOfOne(title), text, confirm: act }))) return
    const requestId = newRequestId()
    try {
      await (send ?? sendFlag)(row, isActive, requestId)
      notifyUndoable(`${done}: ${title}`, [requestId])
      await forget(name)
    } catch (error) {
      notifyFailure(error)
    }
  }
}

/** Words for the flag: users are enabled or disabled, all other rows are activated or deactivated. */
export function switchWords(name: EntityName, isOn: boolean) {
  const { t } = i18next
  const isPerson = activeField(name) === 'enabled'
  if (isPerson && isOn)
    return {
      act: t(($) => $.actions.enable),
      done: t(($) => $.lists.enabled),
      text: undefined,
      titleOfOne: (title: string) => t(($) => $.lists.enablePerson, { title }),
      titleOfMany: (count: CountWords) => t(($) => $.lists.enableQuestion, count),
    }
  if (isPerson)
    return {
      act: t(($) => $.actions.disable),
      done: t(($) => $.lists.disabled),
      text: t(($) => $.lists.disableText),
      titleOfOne: (title: string) => t(($) => $.lists.disablePerson, { title }),
      titleOfMany: (count: CountWords) => t(($) => $.lists.disableQuestion, count),
    }
  return isOn
    ? {
        act: t(($) => $.actions.activate),
        done: t(($) => $.list.activated),
        text: undefined,
        titleOfOne: (title: string) => t(($) => $.list.activateQuestion, { title }),
        titleOfMany: (count: CountWords) => t(($) => $.lists.activateQuestion, count),
      }
    : {
        act: t(($) => $.actions.deactivate),
        done: t(($) => $.list.deactivated),
        text: t(($) => $.list.deactivateText),
        titleOfOne: (title: string) => t(($) => $.list.deactivateQuestion, { title }),
        titleOfMany: (count: CountWords) => t(($) => $.lists.deactivateQuestion, count),
      }
}

// Not an interface, because translations need an index signature.
type CountWords = { readonly count: number; readonly rows: string }

function deletionText(name: EntityName, row: Row): string {
  const undo = i18next.t(($) => $.list.deleteText)
  return doesComeBack(entityOf(name), row) ? `${i18next.t(($) => $.list.deleteOfSheet)} ${undo}` : undo
}

/** Resolves true if the row was deleted. Otherwise it lists rows that still refer to it. */
export function removeRow(name: EntityName): NonNullable<RowActions['remove']> {
  return async (row) => {
    const title = rowTitle(name, row)
    const isAgreed = await askForConfirmation({
      title: i18next.t(($) => $.list.deleteQuestion, { title }),
      text: deletionText(name, row),
      confirm: i18next.t(($) => $.actions.delete),
      danger: true,
    })
    if (!isAgreed) return false
    const requestId = newRequestId()
    try {
      await http.delete(`${name}/${row.id}`, { requestId })
      notifyUndoable(`${i18next.t(($) => $.list.deleted)}: ${title}`, [requestId])
      await forget(name)
      return true
    } catch (error) {
      await explainRejection(error)
      return false
    }
  }
}

/** Shows why an action was rejected: the rows that refer to this one, or the rules that it violates. */
export async function explainRejection(error: unknown): Promise<void> {
  if (!(error instanceof HttpError) || error.reply?.references === undefined) {
    const reasons = error instanceof HttpError ? (error.reply?.reasons ?? []) : []
    const messages = reasons.map(({ message }) => message).join('. ')
    notifyFailure(messages === '' ? error : messages, { title: i18next.t(($) => $.errors.request) })
    return
  }
  const { modals } = await import('@mantine/modals')
  modals.open({
    title: i18next.t(($) => $.engine.referencesText),
    children: createElement(ReferenceList, { references: error.reply.references }),
  })
}
