// The overview of a partner offer. The links and postback templates at its top can be copied and tested.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProfile } from '../../data/profile.ts'
import { rowsOf } from '../../entities/form/form-change.ts'
import type { SectionProps } from '../../entities/form/form-slots.ts'
import { NO_BUILT_LINK } from '../../entities/testers/built-link.ts'
import { EventTester } from '../../entities/testers/event-tester.tsx'
import { LinkTester } from '../../entities/testers/link-tester.tsx'
import { useLabels } from '../../i18n/labels.ts'
import { KPI_METRICS } from '../../reports/kpi/kpi-tiles.tsx'
import { Leads, useLeadTo } from '../../reports/overview/leads.tsx'
import { type OverviewSlots, only, referenceIn, refersTo } from '../../reports/overview/overview-slots.ts'
import { LinkField } from '../../ui/link-field.tsx'
import { PostbackTemplates } from './advertiser-postbacks.tsx'
import classes from './offer-partner-form.module.css'
import { PartnerOfferHealth } from './partner-offer-health.tsx'
import { partnerOfferTitle } from './partner-offer-title.ts'
import { ShutNotice } from './shut-notice.tsx'

type Test = 'link' | 'event'

function Links({ row }: SectionProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const [tested, setTested] = useState<Test | null>(null)
  const isStaff = useProfile().role.kind !== 'PARTNER'
  const leadTo = useLeadTo('offer_partner', row)
  if (row === null) return null
  const testButton = (test: Test, of: string) => (
    <Button
      size="compact-sm"
      variant="default"
      aria-expanded={tested === test}
      aria-label={`${t(($) => $.overview.test)}: ${of}`}
      className={classes.test ?? ''}
      onClick={() => setTested(tested === test ? null : test)}
    >
      {t(($) => $.overview.test)}
    </Button>
  )
  const links = ['partner_link', 'advertiser_link'] as const
  return (
    <>
      <Leads label={t(($) => $.overview.leads)} leads={[leadTo('offer'), leadTo('partner')]} />
      <ShutNotice row={row} />
      <section className={classes.links} aria-label={t(($) => $.overview.links)}>
        {links.map((field) =>
          typeof row[field] === 'string' ? (
            <div key={field}>
              <h2 className={classes.linkHead}>
                {labels.field('offer_partner', field)}
                {isStaff && field === 'partner_link' ? testButton('link', labels.field('offer_partner', field)) : null}
              </h2>
              <div data-first-act={field === 'partner_link' ? '' : undefined}>
                <LinkField value={row[field]} label={labels.field('offer_partner', field)} />
              </div>
            </div>
          ) : null,
        )}
        {tested === 'link' ? <LinkTester id={Number(row.id)} built={NO_BUILT_LINK} /> : null}
        {rowsOf(row.postbacks).length === 0 ? null : (
          <div>
            <h2 className={classes.linkHead}>
              {t(($) => $.nouns.postbacks.title)}
              {isStaff
                ? testButton(
                    'event',
                    t(($) => $.nouns.postbacks.title),
                  )
                : null}
            </h2>
            <PostbackTemplates rows={row.postbacks} />
          </div>
        )}
        {tested === 'event' ? <EventTester id={Number(row.id)} /> : null}
      </section>
    </>
  )
}

export const OFFER_PARTNER_OVERVIEW: OverviewSlots = {
  title: partnerOfferTitle,
  // The site ID names one partner offer of the partner.
  filters: (row) => {
    const partner = referenceIn(row, 'partner')
    const offer = referenceIn(row, 'offer')
    return {
      siteId: only(String(row.site_id)),
      ...(partner && { partners: only(partner.id) }),
      ...(offer && { offers: only(offer.id) }),
    }
  },
  metrics: KPI_METRICS,
  relations: [
    { entity: 'player', conditions: refersTo('offer_partner') },
    { entity: 'click', conditions: refersTo('offer_partner'), isLog: true },
    { entity: 'postback', conditions: refersTo('offer_partner'), isLog: true },
  ],
  Top: Links,
  Below: PartnerOfferHealth,
}
