// Why a ledger entry was booked: for staff each cause with its author, and the players or spends that changed, before and after; for partners
// what changed, in words.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isAllowed } from '@tributary/contract/access'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import type { LedgerCause } from '@tributary/contract/entities/ledger-entry'
import { ENTITIES, ENTITY_NAMES } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { fetchOptions } from '../../data/lookup.ts'
import { holderOf, useProfile } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { Changes, FieldTitle } from '../../entities/history/history-item.tsx'
import { useLabels } from '../../i18n/labels.ts'
import { MomentText } from '../../ui/value.tsx'
import { FactChanges, Records } from './changed-records.tsx'
import classes from './finance.module.css'

type Answer = AnswerOf<'ledger_entry_changes'>

/** Names of users by id; empty if the person may not look them up. */
function useUserNames(ids: readonly number[]): ReadonlyMap<number, string> {
  const mayLookUp = isAllowed(ENTITIES.user.access.lookup, holderOf(useProfile()))
  const { data = [] } = useQuery({
    queryKey: keys.lookup('user', `ids ${ids.join(' ')}`),
    queryFn: ({ signal }) => fetchOptions('user', ids, signal),
    enabled: mayLookUp && ids.length > 0,
  })
  return new Map(data.map(({ id, title }) => [Number(id), title]))
}

interface EntryCausesProps {
  readonly entry: number
  readonly causes: readonly LedgerCause[]
  /** The code of the entry's currency. */
  readonly currency: string
  readonly isCpa: boolean
}

export function EntryCauses({ entry, causes, currency, isCpa }: EntryCausesProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const { data: changes } = useQuery({
    queryKey: keys.list('ledger_entry', `changes ${entry}`),
    queryFn: ({ signal }) => http.get<Answer>(`ledger_entry/${entry}/changes`, { signal }),
  })
  const names = changes?.records ?? []
  const users = useUserNames([...new Set(causes.map(({ user }) => user).filter((user) => user !== 0))])
  const tell = (cause: string) => {
    const told = labels.cause(cause)
    return told === cause ? labels.entity(cause) : told
  }
  return (
    <section>
      <h3 className={classes.title}>{t(($) => $.finance.entry.causes)}</h3>
      <ul className={classes.causes}>
        {causes.map(({ cause, user, at, facts, records = [] }, index) => (
          <li key={`${cause} ${user}`}>
            {tell(cause)}
            {user === 0 ? null : ` · ${users.get(user) ?? t(($) => $.finance.entry.user, { id: user })}`}
            {' · '}
            <MomentText value={at} />
            {' · '}
            {t(($) => $.finance.entry.facts, { count: facts })}
            <ChangeList changes={changes?.causes[index] ?? []} currency={currency} />
            {/* The changed fields of a player or a report say more. */}
            {(changes?.causes[index] ?? []).some(({ player }) => player !== null) ? null : (
              <FactChanges
                facts={changes?.facts[index] ?? []}
                names={names}
                currency={changes?.report_currency ?? currency}
              />
            )}
            {records.length === 0 ? null : (
              <Records records={records} names={names} currency={currency} isCpa={isCpa} />
            )}
            {records.length === 0 || records.length >= facts ? null : (
              <p className={classes.quiet}>{t(($) => $.finance.entry.firstRecords, { count: records.length })}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What changed, as the statement says it. */
export function Explanation({ text }: { text: string }) {
  const { t } = useTranslation()
  return (
    <section>
      <h3 className={classes.title}>{t(($) => $.finance.entry.causes)}</h3>
      <p className={classes.cause}>{text}</p>
    </section>
  )
}

/** Each changed record by name, with its fields before and after. */
function ChangeList({ changes, currency }: { changes: Answer['causes'][number]; currency: string }) {
  const labels = useLabels()
  return (
    <ul className={classes.changes}>
      {changes.map((change) => {
        const name = ENTITY_NAMES.find((entity) => entity === change.entity)
        return name === undefined ? null : (
          <li key={change.id}>
            <span className={classes.changed}>
              {labels.one(name)}{' '}
              {change.player === null ? (
                <FieldTitle name={name} title={change.title} />
              ) : (
                <Link to="/players/$id" params={{ id: String(change.player) }} className={classes.link ?? ''}>
                  {change.title}
                </Link>
              )}
            </span>
            {' · '}
            {labels.choice('audit_log', 'action', change.action)}
            <Changes name={name} entry={change} currency={currency} />
          </li>
        )
      })}
    </ul>
  )
}
