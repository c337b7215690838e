// The overview of a partner.

import { formatMonth } from '@tributary/contract/period'
import { currentLanguage } from '../../i18n/language.ts'
import { recordNumber } from '../../i18n/record-number.ts'
import { KPI_METRICS } from '../../reports/kpi/kpi-tiles.tsx'
import { type OverviewSlots, only, referenceIn, refersTo } from '../../reports/overview/overview-slots.ts'

export const PARTNER_OVERVIEW: OverviewSlots = {
  filters: ({ id }) => ({ partners: only(Number(id)) }),
  metrics: KPI_METRICS,
  relations: [
    {
      entity: 'offer_partner',
      conditions: refersTo('partner'),
      nameOf: (row) => `${referenceIn(row, 'offer')?.title ?? '–'} · ${String(row.site_id)}`,
    },
    { entity: 'player', conditions: refersTo('partner') },
    {
      entity: 'statement',
      conditions: refersTo('partner'),
      nameOf: (row) => `${formatMonth(String(row.month), currentLanguage())} · ${recordNumber(row.id)}`,
    },
    { entity: 'click', conditions: refersTo('partner'), isLog: true },
    { entity: 'postback', conditions: refersTo('partner'), isLog: true },
    { entity: 'partner_spend', conditions: refersTo('partner'), isLog: true },
  ],
}
