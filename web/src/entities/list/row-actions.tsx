// Switches a row on or off, or deletes it: asks first, reports the outcome and reloads the list.

import { Link } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import type { ErrorReply } from '@tributary/contract/error'
import i18next from 'i18next'
import { createElement } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { HttpError } from '../../data/http-error.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import { useLabels } from '../../i18n/labels.ts'
import { askForConfirmation } from '../../ui/confirm.ts'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { editPath } from '../field/row-link.tsx'
import { rowTitle } from '../field/row-text.ts'
import type { Row } from './list-query.ts'
import { activeField } from './list-state.ts'
import classes from './reference-list.module.css'

// What still refers to a row that could not be deleted: by kind, the first of them as links.
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
                const path = editPath(name, id)
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

export interface RowActions {
  /** Null where the person may not, or the entity has no such state. */
  readonly setActive: ((row: Row, isActive: boolean) => Promise<void>) | null
  readonly remove: ((row: Row) => Promise<boolean>) | null
}

/** Rows that came with the product stay as they are: they are neither deleted nor switched off. */
export const isBuiltIn = (row: Readonly<Record<string, unknown>>): boolean => row.built_in === true

/** Sends the switch; an entity may have a call of its own for it. */
export type SendActive = (row: Row, isActive: boolean) => Promise<unknown>

const forget = (name: EntityName) => queryClient.invalidateQueries({ queryKey: keys.entity(name) })

export function activateRow(name: EntityName, send?: SendActive): NonNullable<RowActions['setActive']> {
  const flag = activeField(name) ?? 'active'
  const sendFlag: SendActive = (row, isActive) => http.patch(`${name}/${row.id}`, { [flag]: isActive })
  return async (row, isActive) => {
    const { askOne, text, act, done } = switchWords(name, isActive)
    if (!(await askForConfirmation({ title: askOne(rowTitle(name, row)), text, confirm: act }))) return
    try {
      await (send ?? sendFlag)(row, isActive)
      notifySuccess(done)
      await forget(name)
    } catch (error) {
      notifyFailure(error)
    }
  }
}

/** Words for switching rows on and off: people are let in or kept out, everything else is activated or deactivated. */
export function switchWords(name: EntityName, isOn: boolean) {
  const { t } = i18next
  const isPerson = activeField(name) === 'enabled'
  if (isPerson && isOn)
    return {
      act: t(($) => $.actions.enable),
      done: t(($) => $.lists.enabled),
      text: undefined,
      askOne: (title: string) => t(($) => $.lists.enablePerson, { title }),
      askMany: (count: CountWords) => t(($) => $.lists.enableQuestion, count),
    }
  if (isPerson)
    return {
      act: t(($) => $.actions.disable),
      done: t(($) => $.lists.disabled),
      text: t(($) => $.lists.disableText),
      askOne: (title: string) => t(($) => $.lists.disablePerson, { title }),
      askMany: (count: CountWords) => t(($) => $.lists.disableQuestion, count),
    }
  return isOn
    ? {
        act: t(($) => $.actions.activate),
        done: t(($) => $.list.activated),
        text: undefined,
        askOne: (title: string) => t(($) => $.list.activateQuestion, { title }),
        askMany: (count: CountWords) => t(($) => $.lists.activateQuestion, count),
      }
    : {
        act: t(($) => $.actions.deactivate),
        done: t(($) => $.list.deactivated),
        text: t(($) => $.list.deactivateText),
        askOne: (title: string) => t(($) => $.list.deactivateQuestion, { title }),
        askMany: (count: CountWords) => t(($) => $.lists.deactivateQuestion, count),
      }
}

// Not an interface: those have no index, which translations ask for.
type CountWords = { readonly count: number; readonly rows: string }

/** True when the row is gone. What still refers to it is listed, by name. */
export function removeRow(name: EntityName): NonNullable<RowActions['remove']> {
  return async (row) => {
    const title = rowTitle(name, row)
    const isAgreed = await askForConfirmation({
      title: i18next.t(($) => $.list.deleteQuestion, { title }),
      text: i18next.t(($) => $.list.deleteText),
      confirm: i18next.t(($) => $.actions.delete),
      danger: true,
    })
    if (!isAgreed) return false
    try {
      await http.delete(`${name}/${row.id}`)
      notifySuccess(i18next.t(($) => $.list.deleted))
      await forget(name)
      return true
    } catch (error) {
      await explainRejection(error)
      return false
    }
  }
}

/** Says why something could not be done; where rows stand in the way, which; where a rule does, what it says. */
export async function explainRejection(error: unknown): Promise<void> {
  if (!(error instanceof HttpError) || error.reply?.references === undefined) {
    const reasons = error instanceof HttpError ? (error.reply?.reasons ?? []) : []
    const told = reasons.map(({ message }) => message).join('. ')
    notifyFailure(told === '' ? error : told, { title: i18next.t(($) => $.errors.request) })
    return
  }
  const { modals } = await import('@mantine/modals')
  modals.open({
    title: i18next.t(($) => $.list.referencesText),
    children: createElement(ReferenceList, { references: error.reply.references }),
    closeButtonProps: { 'aria-label': i18next.t(($) => $.actions.close) },
  })
}
