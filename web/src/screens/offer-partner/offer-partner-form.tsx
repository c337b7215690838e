// The form of a partner offer: check list, postback URLs, macros, and dated terms that must not overlap.

import type { FieldSlots, FormSlots } from '../../entities/form/form-slots.ts'
import type { Row } from '../../entities/list/list-query.ts'
import { checkHistories, HistoryTimeline } from './history-timeline.tsx'
import { LinkChecklist } from './link-checklist.tsx'
import { LinkHealth } from './link-health.tsx'
import { LinkPostbacks } from './link-postbacks.tsx'
import { LinkTools } from './link-tools.tsx'

const BY_OFFER: FieldSlots = { filledBy: ({ filledByOffer }) => filledByOffer }

const titleOf = (value: unknown) =>
  typeof value === 'object' && value !== null && 'title' in value ? String(value.title) : ''

export const OFFER_PARTNER_FORM: FormSlots = {
  fields: {
    state: { initial: 'unapproved' },
    stream: { dependsOn: { field: 'partner', path: 'partner' } },
    'postbacks.kind': { initial: 'extra' },
    currency: BY_OFFER,
    baseline: BY_OFFER,
    baseline_period_days: BY_OFFER,
    max_days_from_registration: BY_OFFER,
  },
  above: { main: LinkChecklist, histories: HistoryTimeline },
  below: { main: LinkHealth, links: LinkTools, postbacks: LinkPostbacks },
  check: checkHistories,
  title: (row: Row) => `${titleOf(row.offer)} × ${titleOf(row.partner)} · ${String(row.site_id)}`,
}
