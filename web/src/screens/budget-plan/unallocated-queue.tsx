// Lists unallocated spend to be corrected: it counts in the total but in no row.
import type { BudgetAnswer } from '@tributary/contract/reports/budget'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../../lib/date-format.ts'
import chart from '../../reports/table/chart.module.css'
import { TableFrame, tableClasses } from '../../ui/table-frame.tsx'
import { Count, Money } from '../../ui/value.tsx'
import budget from './budget.module.css'
import classes from './queues.module.css'
import { SHORT_LIST_ROWS, ShowAll } from './show-all.tsx'

export function UnallocatedQueue({ answer }: { answer: BudgetAnswer }) {
  const { t } = useTranslation()
  const { not_used_spend: items, not_used_count: count, not_used_total: total, currency } = answer
  const [isExpanded, setWhole] = useState(false)
  const label = t(($) => $.budget.nus)
  const shown = isExpanded ? items : items.slice(0, SHORT_LIST_ROWS)
  return (
    <div className={chart.card}>
      <header className={chart.head}>
        <h2 className={chart.title}>{label}</h2>
        <span className={chart.unit}>
          <b>
            <Count value={total} />
          </b>{' '}
          {currency}
        </span>
      </header>
      {items.length === 0 ? (
        <p className={chart.none}>{t(($) => $.budget.nusNone)}</p>
      ) : (
        <>
          <p className={budget.hint}>
            {t(($) => $.budget.nusHint)}{' '}
            {count > items.length ? t(($) => $.budget.nusMore, { shown: items.length, count }) : ''}
          </p>
          <div className={isExpanded ? chart.table : `${chart.table} ${classes.whole}`}>
            <TableFrame label={label}>
              <table className={`${tableClasses.table} ${classes.queue}`}>
                <thead>
                  <tr>
                    <th scope="col">{t(($) => $.budget.nusColumns.day)}</th>
                    <th scope="col" className={tableClasses.number}>
                      {t(($) => $.budget.nusColumns.amount)}
                    </th>
                    <th scope="col">{t(($) => $.budget.nusColumns.country)}</th>
                    <th scope="col">{t(($) => $.budget.nusColumns.partner)}</th>
                    <th scope="col">{t(($) => $.budget.nusColumns.stream)}</th>
                  </tr>
                </thead>
                <tbody>
                  {shown.map(({ date, country, partner, stream, price }) => (
                    <tr key={[date, country, partner, stream, price].join(' ')}>
                      <td>{formatDay(date)}</td>
                      <td className={tableClasses.number}>
                        <Money value={price} />
                      </td>
                      <td>{country}</td>
                      <td>{partner}</td>
                      <td>{stream}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </TableFrame>
          </div>
          <ShowAll count={items.length} isExpanded={isExpanded} onToggle={() => setWhole(!isExpanded)} />
        </>
      )}
    </div>
  )
}
