// Lists streams that have days with activity and no spend in the month, beside the unallocated spend; each opens its month in the spend table.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { MissingSpends } from '@tributary/contract/calls/spend-table'
import { partnerSpend } from '@tributary/contract/entities/partner-spend'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { formatCount } from '../../lib/number-format.ts'
import chart from '../../reports/table/chart.module.css'
import classes from './queues.module.css'
import { SHORT_LIST_ROWS, ShowAll } from './show-all.tsx'

const MISSING = 'partner_spend/missing'

/** `month`: 'YYYY-MM'. */
export function MissingDays({ month }: { month: string }) {
  const { t } = useTranslation()
  const [isExpanded, setWhole] = useState(false)
  const { data } = useQuery({
    queryKey: keys.report(MISSING, { month }),
    queryFn: ({ signal }) => http.get<MissingSpends>(MISSING, { query: { month }, signal }),
  })
  if (data === undefined) return null
  const label = t(($) => $.spends.missing.title)
  const shown = isExpanded ? data.items : data.items.slice(0, SHORT_LIST_ROWS)
  return (
    <section className={chart.card} aria-label={label}>
      <header className={chart.head}>
        <h2 className={chart.title}>{label}</h2>
        <span className={chart.unit}>
          <b>{formatCount(data.days)}</b>
        </span>
      </header>
      {data.items.length === 0 ? (
        <p className={chart.none}>{t(($) => $.spends.missing.none)}</p>
      ) : (
        <>
          <ul className={classes.missing}>
            {shown.map(({ partner, stream, country, days }) => (
              <li key={`${stream.id} ${country.id}`}>
                <Link to={partnerSpend.route} search={{ view: 'table', partner: partner.id, month }}>
                  {partner.title} · {stream.title} · {country.title}
                </Link>
                <span className={classes.count}>{t(($) => $.budget.days, { count: days.length })}</span>
              </li>
            ))}
          </ul>
          <ShowAll count={data.items.length} isExpanded={isExpanded} onToggle={() => setWhole(!isExpanded)} />
        </>
      )}
    </section>
  )
}
