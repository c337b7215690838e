// Why a ledger entry was booked: each cause with its author, and the players or spends that changed, before and after.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isAllowed } from '@tributary/contract/access'
import type { EntityName } from '@tributary/contract/entities/registry'
import { ENTITIES } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { fetchOptions } from '../../data/lookup.ts'
import { holderOf, useProfile } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { useLabels } from '../../i18n/labels.ts'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { DayText, MomentText, Money } from '../../ui/value.tsx'
import classes from './finance.module.css'

/** Income or entered spend, and what is owed of it; for CPA both are the price. */
interface Figures {
  readonly base: string
  readonly amount: string
}

interface ChangedRecord {
  readonly entity: 'player' | 'partner_spend'
  readonly id: number
  readonly day: string
  readonly before: Figures
  readonly after: Figures
}

export interface EntryCause {
  readonly cause: string
  /** 0: the product itself. */
  readonly user: number
  readonly at: string
  readonly facts: number
  /** The first of the facts; entries of earlier versions have none. */
  readonly records?: readonly ChangedRecord[]
}

/** Titles by id; empty if the person may not look the entity up. */
function useTitles(entity: EntityName, ids: readonly number[]): ReadonlyMap<number, string> {
  const mayLookUp = isAllowed(ENTITIES[entity].access.lookup, holderOf(useProfile()))
  const { data = [] } = useQuery({
    queryKey: keys.lookup(entity, `ids ${ids.join(' ')}`),
    queryFn: ({ signal }) => fetchOptions(entity, ids, signal),
    enabled: mayLookUp && ids.length > 0,
  })
  return new Map(data.map(({ id, title }) => [Number(id), title]))
}

interface EntryCausesProps {
  readonly causes: readonly EntryCause[]
  /** The code of the entry's currency. */
  readonly currency: string
  readonly isCpa: boolean
}

export function EntryCauses({ causes, currency, isCpa }: EntryCausesProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const users = useTitles('user', [...new Set(causes.map(({ user }) => user).filter((user) => user !== 0))])
  const tell = (cause: string) => {
    const told = labels.cause(cause)
    return told === cause ? labels.entity(cause) : told
  }
  return (
    <section>
      <h3 className={classes.title}>{t(($) => $.finance.entry.causes)}</h3>
      <ul className={classes.causes}>
        {causes.map(({ cause, user, at, facts, records = [] }) => (
          <li key={`${cause} ${user}`}>
            {tell(cause)}
            {user === 0 ? null : ` · ${users.get(user) ?? t(($) => $.finance.entry.user, { id: user })}`}
            {' · '}
            <MomentText value={at} />
            {' · '}
            {t(($) => $.finance.entry.facts, { count: facts })}
            {records.length === 0 ? null : <Records records={records} currency={currency} isCpa={isCpa} />}
            {records.length === 0 || records.length >= facts ? null : (
              <p className={classes.quiet}>{t(($) => $.finance.entry.firstRecords, { count: records.length })}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface RecordsProps extends Omit<EntryCausesProps, 'causes'> {
  readonly records: readonly ChangedRecord[]
}

function Records({ records, currency, isCpa }: RecordsProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const players = useTitles('player', [
    ...new Set(records.flatMap(({ entity, id }) => (entity === 'player' ? [id] : []))),
  ])
  return (
    <TableFrame label={t(($) => $.finance.entry.records)}>
      <table className={`${tableClasses.table} ${classes.snug}`}>
        <thead>
          <tr>
            <th>{labels.field('ledger_item', 'player')}</th>
            <th>{labels.field('ledger_item', 'day')}</th>
            <th className={tableClasses.number}>{`${t(($) => $.finance.entry.before)}, ${currency}`}</th>
            <th className={tableClasses.number}>{`${t(($) => $.finance.entry.after)}, ${currency}`}</th>
          </tr>
        </thead>
        <tbody>
          {records.map(({ entity, id, day, before, after }) => (
            <tr key={`${entity} ${id} ${day}`}>
              <td>
                <Link
                  to={`${ENTITIES[entity].route}/$id/edit`}
                  params={{ id: String(id) }}
                  className={classes.link ?? ''}
                >
                  {entity === 'player' ? (players.get(id) ?? `#${id}`) : `${labels.one(entity)} #${id}`}
                </Link>
              </td>
              <td>
                <DayText value={day} />
              </td>
              <FiguresCell figures={before} isCpa={isCpa} />
              <FiguresCell figures={after} isCpa={isCpa} />
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

/** What is owed, and below it the income or spend that it is owed of. */
function FiguresCell({ figures: { base, amount }, isCpa }: { figures: Figures; isCpa: boolean }) {
  const { t } = useTranslation()
  return (
    <td className={tableClasses.number}>
      <Money value={amount} />
      {isCpa ? null : (
        <div className={classes.quiet}>
          {t(($) => $.finance.entry.of)} <Money value={base} />
        </div>
      )}
    </td>
  )
}
