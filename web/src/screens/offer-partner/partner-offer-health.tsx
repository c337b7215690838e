// The health of a partner offer: its last click, the number of clicks, and rejections by reason.
import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import type { SectionProps } from '../../entities/form/form-slots.ts'
import { useReason } from '../../entities/testers/trace-steps.tsx'
import { Count, MomentText } from '../../ui/value.tsx'
import classes from './partner-offer-health.module.css'

type Health = AnswerOf<'offer_partner_health'>

export function PartnerOfferHealth({ row }: SectionProps) {
  return row === null ? null : <Card id={row.id as number} />
}

function Card({ id }: { id: number }) {
  const { t } = useTranslation()
  const { data } = useQuery({
    queryKey: ['entity', 'offer_partner', 'health', id],
    queryFn: ({ signal }) => http.get<Health>(`offer_partner/${id}/health`, { signal }),
  })
  if (data === undefined) return null
  return (
    <section className={classes.health} aria-label={t(($) => $.links.health)}>
      <h3 className={classes.title}>{t(($) => $.links.health)}</h3>
      <dl className={classes.facts}>
        <div>
          <dt>{t(($) => $.links.lastClick)}</dt>
          <dd>
            {data.last_click_at === null ? (
              t(($) => $.links.noClicks, { count: data.days })
            ) : (
              <MomentText value={data.last_click_at} seconds />
            )}
          </dd>
        </div>
        <div>
          <dt>{t(($) => $.links.clicksIn, { count: data.days })}</dt>
          <dd>
            <Count value={data.clicks} /> · {t(($) => $.links.unique)} <Count value={data.unique_clicks} />
          </dd>
        </div>
      </dl>
      {data.refusals.length === 0 ? (
        <p className={classes.none}>{t(($) => $.links.noRefusals)}</p>
      ) : (
        <Refusals refusals={data.refusals} />
      )}
    </section>
  )
}

function Refusals({ refusals }: Pick<Health, 'refusals'>) {
  const { t } = useTranslation()
  const reasonOf = useReason()
  return (
    <>
      <h4 className={classes.subtitle}>{t(($) => $.links.refusals)}</h4>
      <ul className={classes.refusals}>
        {refusals.map(({ reason, clicks, last_at }) => (
          <li key={reason}>
            <strong>
              <Count value={clicks} />
            </strong>{' '}
            {reasonOf(reason)}
            <span className={classes.when}>
              {t(($) => $.links.lastAt)} <MomentText value={last_at} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
