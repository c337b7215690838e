// One change in a history: user, time, row, and each field before and after. Users who may edit the row can restore it.
import { Button } from '@mantine/core'
import type { HistoryEntry } from '@tributary/contract/calls/audit-log'
import { ENTITY_NAMES, type EntityName } from '@tributary/contract/entities/registry'
import type { Field } from '@tributary/contract/field'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { queryClient } from '../../data/query-client.ts'
import { useLabels } from '../../i18n/labels.ts'
import { isolate } from '../../lib/isolate.ts'
import { askForConfirmation } from '../../ui/confirm.ts'
import { notifySuccess } from '../../ui/notify.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import { MomentText } from '../../ui/value.tsx'
import { entityOf } from '../field/field-at.ts'
import { FieldValue } from '../field/field-value.tsx'
import { explainRejection } from '../list/row-actions.tsx'
import classes from './history.module.css'

interface HistoryItemProps {
  /** The entity of the history; rows of its collections show what they are. */
  record: EntityName
  entry: HistoryEntry
  /** The row is still as this change left it. */
  isCurrent?: boolean
  /** The oldest known change: its own values are all that is known of the earlier state. */
  isFirst?: boolean
  onRestored: () => unknown
}

const TONES = { create: 'positive', update: 'neutral', delete: 'negative', access: 'neutral' } as const
const nameOf = (entity: string): EntityName | undefined => ENTITY_NAMES.find((name) => name === entity)

export function HistoryItem({ record, entry, isCurrent = false, isFirst = false, onRestored }: HistoryItemProps) {
  const labels = useLabels()
  const { t } = useTranslation()
  const name = nameOf(entry.entity)
  if (name === undefined) return null
  const restored = /^restore (\d+)$/.exec(entry.cause ?? '')
  // Sign-in events change no field, and jobs act without a user: their cause is shown.
  const isReason = entry.action === 'access' || (entry.user === null && !isPlainAct(entry))
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <StateBadge tone={TONES[entry.action]}>{labels.choice('audit_log', 'action', entry.action)}</StateBadge>
        {name === record ? null : (
          <span className={classes.row}>
            {labels.one(name)} <FieldTitle name={name} title={entry.title} />
          </span>
        )}
        <span className={classes.who}>
          {entry.user?.title ?? t(($) => $.values.system)} · <MomentText value={entry.at} seconds />
        </span>
      </div>
      {restored ? <p className={classes.note}>{t(($) => $.history.wasRestored)}</p> : null}
      {isReason && entry.cause !== null ? <p className={classes.note}>{labels.cause(entry.cause)}</p> : null}
      <Changes name={name} entry={entry} />
      {entry.restorable && (entry.action === 'delete' || !isCurrent) ? (
        <Button size="compact-xs" variant="subtle" onClick={() => void restore(entry, undefined, onRestored)}>
          {entry.action === 'delete' ? t(($) => $.history.revive) : t(($) => $.history.restore)}
        </Button>
      ) : null}
      {entry.restorable && isFirst && entry.action === 'update' ? (
        <Button size="compact-xs" variant="subtle" onClick={() => void restore(entry, 'before', onRestored)}>
          {t(($) => $.history.restoreBefore)}
        </Button>
      ) : null}
    </li>
  )
}

/** A cause such as 'Player changed' says no more than the change itself. */
const isPlainAct = ({ cause, entity }: HistoryEntry): boolean => cause?.split(' ')[1] === entity

/** Formats the title of a row, which may be a date. The server has already written the names of rows that are named by several fields. */
export function FieldTitle({ name, title }: { name: EntityName; title: string }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const field = fieldOf(name, entityOf(name).title)
  if (field?.kind !== 'date' || entityOf(name).namedBy !== undefined)
    return t(($) => $.history.named, { title: isolate(title) })
  return <FieldValue labels={labels} entity={name} name={entityOf(name).title} field={field} value={title} />
}

const ACTIVE: Field = { kind: 'boolean' }
const fieldOf = (name: EntityName, field: string): Field | undefined =>
  field === 'active' ? ACTIVE : entityOf(name).fields[field]

interface ChangesProps {
  readonly name: EntityName
  readonly entry: HistoryEntry
  /** The code of the currency of amounts whose record names none. */
  readonly currency?: string
}

/** The fields of a change, before and after. */
export function Changes({ name, entry, currency }: ChangesProps) {
  const labels = useLabels()
  const known = currency === undefined ? {} : { currency: { title: currency, value: currency } }
  const value = (field: string, side: 'before' | 'after', shown: unknown) => {
    const declared = fieldOf(name, field)
    if (declared === undefined) return null
    const row = { ...known, ...entry.units[side] }
    return <FieldValue labels={labels} entity={name} name={field} field={declared} value={shown} row={row} />
  }
  return (
    <ChangedValues
      action={entry.action}
      changes={entry.changes.map(({ field, before, after }) => ({
        key: field,
        label: labels.field(name, field),
        before: value(field, 'before', before),
        after: value(field, 'after', after),
      }))}
    />
  )
}

interface ChangedValuesProps {
  readonly action: HistoryEntry['action']
  readonly changes: readonly {
    readonly key: string
    readonly label: string
    readonly before: ReactNode
    readonly after: ReactNode
  }[]
}

/** Names of values with what they were and what they are. */
export function ChangedValues({ action, changes }: ChangedValuesProps) {
  const { t } = useTranslation()
  return (
    <dl className={classes.changes}>
      {changes.map(({ key, label, before, after }) => (
        <div key={key} className={classes.change}>
          <dt>{label}</dt>
          <dd>
            {action === 'create' ? null : (
              <del className={classes.before}>
                <span className={classes.hidden}>{t(($) => $.history.before)}: </span>
                {before}
              </del>
            )}
            {action === 'update' ? <span aria-hidden> → </span> : null}
            {action === 'delete' ? null : (
              <ins className={classes.after}>
                <span className={classes.hidden}>{t(($) => $.history.after)}: </span>
                {after}
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

async function restore(entry: HistoryEntry, side: 'before' | undefined, onRestored: () => unknown): Promise<void> {
  const isGone = entry.action === 'delete'
  const isAgreed = await askForConfirmation({
    title: isGone ? i18next.t(($) => $.history.reviveQuestion) : i18next.t(($) => $.history.restoreQuestion),
    text: isGone ? i18next.t(($) => $.history.reviveText) : i18next.t(($) => $.history.restoreText),
    confirm: isGone ? i18next.t(($) => $.history.revive) : i18next.t(($) => $.history.restore),
  })
  if (!isAgreed) return
  try {
    await http.post(`audit_log/${entry.id}/restore`, side === undefined ? {} : { side })
    notifySuccess(i18next.t(($) => $.history.restored))
    await queryClient.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === 'entity' && queryKey[2] !== 'row',
    })
    await onRestored()
  } catch (error) {
    await explainRejection(error)
  }
}
