// What can be done to a row from its list: switch it on or off, delete it. Each asks first, says what it did, and has the list read again.

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
import { confirmAct, type Question } from '../../ui/confirm.ts'
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

export interface RowActs {
  /** Null where the person may not, or the entity has no such state. */
  readonly setActive: ((row: Row, isActive: boolean) => Promise<void>) | null
  readonly remove: ((row: Row) => Promise<boolean>) | null
}

/** Rows that came with the product stay as they are: they are neither deleted nor switched off. */
export const isBuiltIn = (row: Readonly<Record<string, unknown>>): boolean => row.built_in === true

/** Sends the switch; an entity may have a call of its own for it. */
export type SendActive = (row: Row, isActive: boolean) => Promise<unknown>

const forget = (name: EntityName) => queryClient.invalidateQueries({ queryKey: keys.entity(name) })

export function activateRow(name: EntityName, send?: SendActive): NonNullable<RowActs['setActive']> {
  const flag = activeField(name) ?? 'active'
  const sendFlag: SendActive = (row, isActive) => http.patch(`${name}/${row.id}`, { [flag]: isActive })
  return async (row, isActive) => {
    const { question, outcome } = activeWords(flag === 'enabled', rowTitle(name, row), isActive)
    if (!(await confirmAct(question))) return
    try {
      await (send ?? sendFlag)(row, isActive)
      notifySuccess(outcome)
      await forget(name)
    } catch (error) {
      notifyFailure(error)
    }
  }
}

/** People are let in or kept out; everything else is switched on or off. */
function activeWords(isPerson: boolean, title: string, isActive: boolean): { question: Question; outcome: string } {
  if (isPerson)
    return isActive
      ? {
          question: {
            title: i18next.t(($) => $.lists.enablePerson, { title }),
            confirm: i18next.t(($) => $.actions.enable),
          },
          outcome: i18next.t(($) => $.lists.enabled),
        }
      : {
          question: {
            title: i18next.t(($) => $.lists.disablePerson, { title }),
            text: i18next.t(($) => $.lists.disableText),
            confirm: i18next.t(($) => $.actions.disable),
          },
          outcome: i18next.t(($) => $.lists.disabled),
        }
  return isActive
    ? {
        question: {
          title: i18next.t(($) => $.list.activateQuestion, { title }),
          confirm: i18next.t(($) => $.actions.activate),
        },
        outcome: i18next.t(($) => $.list.activated),
      }
    : {
        question: {
          title: i18next.t(($) => $.list.deactivateQuestion, { title }),
          text: i18next.t(($) => $.list.deactivateText),
          confirm: i18next.t(($) => $.actions.deactivate),
        },
        outcome: i18next.t(($) => $.list.deactivated),
      }
}

/** True when the row is gone. What still refers to it is listed, by name. */
export function removeRow(name: EntityName): NonNullable<RowActs['remove']> {
  return async (row) => {
    const title = rowTitle(name, row)
    const isAgreed = await confirmAct({
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
      await explainRefusal(error)
      return false
    }
  }
}

/** Says why something could not be done; where rows stand in the way, which; where a rule does, what it says. */
export async function explainRefusal(error: unknown): Promise<void> {
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
