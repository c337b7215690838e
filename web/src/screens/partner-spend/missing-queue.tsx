// What the month lacks: days with activity and no spend, and unallocated spend. A day opens its cell.
import { Button } from '@mantine/core'
import type { MissingSpends } from '@tributary/contract/calls/spend-table'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay } from '../../lib/date-format.ts'
import { formatCount } from '../../lib/number-format.ts'
import { Money } from '../../ui/value.tsx'
import classes from './spend-panels.module.css'

type MissingItem = MissingSpends['items'][number]

type Place = Pick<MissingItem, 'partner' | 'stream' | 'country'>

export type OpenDay = (item: Place, date: string) => void

interface MissingQueueProps {
  missing: MissingSpends
  /** True: of all partners, whose names are shown. */
  isOfAll: boolean
  onOpen: OpenDay
}

/** The list begins with so many streams, and grows by as many. */
const SHOWN = 25

/** Rendered again only when its own props change, not with every step in the grid beside it. */
export const MissingQueue = memo(function MissingQueue({ missing, isOfAll, onOpen }: MissingQueueProps) {
  const { t } = useTranslation()
  const [limit, setLimit] = useState(SHOWN)
  const { items, days, not_used_spend: lost, not_used_total: total, currency } = missing
  return (
    <>
      <section className={classes.card} aria-label={t(($) => $.spends.missing.title)}>
        <h2 className={classes.cardTitle}>
          {t(($) => $.spends.missing.title)} <span>{formatCount(days)}</span>
        </h2>
        {items.length === 0 ? (
          <p className={classes.hint}>{t(($) => $.spends.missing.none)}</p>
        ) : (
          <ul className={classes.queue}>
            {items.slice(0, limit).map((item) => (
              <li key={`${item.stream.id} ${item.country.id}`}>
                <span>
                  {isOfAll ? `${item.partner.title} · ` : ''}
                  <b>{item.stream.title}</b> · {item.country.title}
                </span>
                <div className={classes.days}>
                  {item.days.map((day) => (
                    <DayButton key={day.date} day={day} onOpen={() => onOpen(item, day.date)} />
                  ))}
                </div>
              </li>
            ))}
          </ul>
        )}
        {items.length <= limit ? null : (
          <Button size="compact-sm" variant="subtle" onClick={() => setLimit(limit + SHOWN)}>
            {t(($) => $.spends.missing.more, { count: items.length - limit })}
          </Button>
        )}
      </section>
      <LeftSpends missing={missing} isOfAll={isOfAll} onOpen={onOpen} />
      <section className={classes.card} aria-label={t(($) => $.spends.missing.nus)}>
        <h2 className={classes.cardTitle}>
          {t(($) => $.spends.missing.nus)}{' '}
          <span>
            <Money value={total} /> {currency}
          </span>
        </h2>
        {lost.length === 0 ? (
          <p className={classes.hint}>
            {t(($) => $.spends.missing[missing.left_count > 0 ? 'nusNoneLeft' : 'nusNone'])}
          </p>
        ) : (
          <>
            <p className={classes.hint}>{t(($) => $.spends.missing.nusHint)}</p>
            <ul className={classes.queue}>
              {lost.map(({ date, partner, stream, country, price }) => (
                <li key={[date, partner, stream, country, price].join(' ')} className={classes.lost}>
                  <span>
                    {formatDay(date)} · {isOfAll ? `${partner} · ` : ''}
                    {stream} · {country}
                  </span>
                  <Money value={price} />
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
    </>
  )
})

/** Spends of all open months that another payment model has left behind. */
function LeftSpends({ missing: { left, left_count: count }, isOfAll, onOpen }: MissingQueueProps) {
  const { t } = useTranslation()
  const [limit, setLimit] = useState(SHOWN)
  if (count === 0) return null
  const title = t(($) => $.spends.missing.left)
  return (
    <section className={classes.card} aria-label={title}>
      <h2 className={classes.cardTitle}>
        {title} <span>{formatCount(count)}</span>
      </h2>
      <p className={classes.hint}>{t(($) => $.spends.missing.leftText)}</p>
      <ul className={classes.queue}>
        {left.slice(0, limit).map((spend) => (
          <li key={spend.id} className={classes.lost}>
            <button type="button" className={classes.leftButton} onClick={() => onOpen(spend, spend.date)}>
              {formatDay(spend.date)} · {isOfAll ? `${spend.partner.title} · ` : ''}
              {spend.stream.title} · {spend.country.title} · {spend.model ?? t(($) => $.spends.missing.leftAlone)}
            </button>
            <span>
              <Money value={spend.sum} /> {spend.currency}
            </span>
          </li>
        ))}
      </ul>
      {left.length <= limit ? null : (
        <Button size="compact-sm" variant="subtle" onClick={() => setLimit(limit + SHOWN)}>
          {t(($) => $.spends.missing.moreLeft, { count: count - limit })}
        </Button>
      )}
    </section>
  )
}

function DayButton({ day, onOpen }: { day: MissingItem['days'][number]; onOpen: () => void }) {
  const { t } = useTranslation()
  const { date, clicks, registrations, claimed } = day
  const facts = t(($) => (claimed ? $.spends.missing.dayClaimed : $.spends.missing.day), {
    day: formatDay(date) ?? '',
    clicks: formatCount(clicks) ?? '',
    registrations: formatCount(registrations) ?? '',
  })
  return (
    <button
      type="button"
      className={classes.dayButton}
      data-claimed={claimed || undefined}
      title={facts}
      // The spoken name begins with what is seen.
      aria-label={`${Number(date.slice(8))}: ${facts}`}
      onClick={onOpen}
    >
      {Number(date.slice(8))}
    </button>
  )
}
