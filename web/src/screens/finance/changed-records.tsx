// The records and the reported figures behind a cause, before and after.

import { Link } from '@tanstack/react-router'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import type { ChangedRecord, OwedFigures } from '@tributary/contract/entities/ledger-entry'
import { ENTITIES } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { ChangedValues } from '../../entities/history/history-item.tsx'
import { useLabels, useReportWords } from '../../i18n/labels.ts'
import { recordNumber } from '../../i18n/record-number.ts'
import { formatCount, formatExact } from '../../lib/number-format.ts'
import { MoneyAmount } from '../../ui/money-amount.tsx'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { DayText } from '../../ui/value.tsx'
import classes from './finance.module.css'

type Answer = AnswerOf<'ledger_entry_changes'>

interface RecordsProps {
  readonly records: readonly ChangedRecord[]
  readonly names: Answer['records']
  /** The code of the entry's currency. */
  readonly currency: string
  readonly isCpa: boolean
}

const keyOf = ({ entity, id }: { readonly entity: string; readonly id: number }) => `${entity} ${id}`

/** The name of a changed record, which opens it. */
function RecordLink({ record, names }: { record: Pick<ChangedRecord, 'entity' | 'id'>; names: Answer['records'] }) {
  const labels = useLabels()
  const title = names.find((named) => keyOf(named) === keyOf(record))?.title ?? recordNumber(record.id)
  return (
    <Link
      to={`${ENTITIES[record.entity].route}/$id/edit`}
      params={{ id: String(record.id) }}
      className={classes.link ?? ''}
    >
      {`${labels.one(record.entity)} ${title}`}
    </Link>
  )
}

/** What each record gave the entry's key before, and what it gives now. */
export function Records({ records, names, currency, isCpa }: RecordsProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  return (
    <TableFrame label={t(($) => $.finance.entry.records)}>
      <table className={`${tableClasses.table} ${classes.snug} ${classes.wrapped}`}>
        <thead>
          <tr>
            <th>{t(($) => $.finance.entry.record)}</th>
            <th>{labels.field('ledger_item', 'day')}</th>
            <th className={tableClasses.number}>{t(($) => $.finance.entry.before)}</th>
            <th className={tableClasses.number}>{t(($) => $.finance.entry.after)}</th>
          </tr>
        </thead>
        <tbody>
          {records.map(({ entity, id, day, before, after }) => (
            <tr key={`${entity} ${id} ${day}`}>
              <td>
                <RecordLink record={{ entity, id }} names={names} />
              </td>
              <td>
                <DayText value={day} />
              </td>
              <FiguresCell figures={before} currency={currency} isCpa={isCpa} />
              <FiguresCell figures={after} currency={currency} isCpa={isCpa} />
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}

interface FiguresCellProps extends Pick<RecordsProps, 'currency' | 'isCpa'> {
  readonly figures: OwedFigures
}

/** What is owed, and below it the income or spend that it is owed of, with the percentage. */
function FiguresCell({ figures: { base, amount, percentage }, currency, isCpa }: FiguresCellProps) {
  const { t } = useTranslation()
  return (
    <td className={tableClasses.number}>
      <MoneyAmount value={amount} currency={currency} />
      {isCpa ? null : (
        <div className={classes.quiet}>
          {t(($) => $.finance.entry.of)} <MoneyAmount value={base} currency={currency} />
          {percentage === undefined ? null : ` · ${formatExact(percentage)}\u00a0%`}
        </div>
      )}
    </td>
  )
}

interface FactChangesProps extends Pick<RecordsProps, 'names'> {
  readonly facts: Answer['facts'][number]
  /** The code of the report currency. */
  readonly currency: string
}

const MONEY: readonly string[] = ['deposits_amount', 'bets', 'income']

/** What was reported of the players, before and after. */
export function FactChanges({ facts, names, currency }: FactChangesProps) {
  const { parts } = useReportWords()
  const show = (metric: string, value: string) =>
    MONEY.includes(metric) ? <MoneyAmount value={value} currency={currency} /> : formatCount(Number(value))
  const byDay = Map.groupBy(facts, ({ player, day }) => `${player} ${day}`)
  return (
    <ul className={classes.changes}>
      {[...byDay.values()].flatMap((own) => {
        const [first] = own
        if (first === undefined) return []
        const { player, day } = first
        return (
          <li key={`${player} ${day}`}>
            <RecordLink record={{ entity: 'player', id: player }} names={names} />
            {' · '}
            <DayText value={day} />
            <ChangedValues
              action="update"
              changes={own.map(({ metric, before, after }) => ({
                key: metric,
                label: parts[metric],
                before: show(metric, before),
                after: show(metric, after),
              }))}
            />
          </li>
        )
      })}
    </ul>
  )
}
