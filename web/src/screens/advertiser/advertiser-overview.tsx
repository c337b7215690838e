// The overview of an advertiser.
import { KPI_METRICS } from '../../reports/kpi/kpi-tiles.tsx'
import { type OverviewSlots, only, referenceIn, refersTo } from '../../reports/overview/overview-slots.ts'

export const ADVERTISER_OVERVIEW: OverviewSlots = {
  filters: ({ id }) => ({ advertisers: only(Number(id)) }),
  metrics: KPI_METRICS,
  relations: [
    { entity: 'offer', conditions: refersTo('advertiser') },
    {
      entity: 'offer_partner',
      conditions: refersTo('offer.advertiser'),
      nameOf: (row) => `${referenceIn(row, 'offer')?.title ?? '–'} × ${referenceIn(row, 'partner')?.title ?? '–'}`,
    },
    { entity: 'player', conditions: refersTo('advertiser') },
    { entity: 'postback', conditions: refersTo('advertiser'), isLog: true },
  ],
}
