// The overview of an offer.
import type { SectionProps } from '../../entities/form/form-slots.ts'
import { NewRowButton } from '../../entities/form/new-row-button.tsx'
import { KPI_METRICS } from '../../reports/kpi/kpi-tiles.tsx'
import { type OverviewSlots, only, referenceIn, refersTo } from '../../reports/overview/overview-slots.ts'

const NewPartnerOffer = ({ row }: SectionProps) =>
  row === null ? null : <NewRowButton name="offer_partner" given={{ offer: Number(row.id) }} />

export const OFFER_OVERVIEW: OverviewSlots = {
  filters: ({ id }) => ({ offers: only(Number(id)) }),
  metrics: KPI_METRICS,
  relations: [
    {
      entity: 'offer_partner',
      conditions: refersTo('offer'),
      nameOf: (row) => `${referenceIn(row, 'partner')?.title ?? '–'} · ${String(row.site_id)}`,
    },
    { entity: 'player', conditions: refersTo('offer') },
    { entity: 'click', conditions: refersTo('offer'), isLog: true },
    { entity: 'postback', conditions: refersTo('offer'), isLog: true },
  ],
  actions: NewPartnerOffer,
}
