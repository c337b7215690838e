// The form of a partner offer: check list, postback URLs, macros, and dated terms that must not overlap.

import type { FieldSlots, FormSlots, SectionProps } from '../../entities/form/form-slots.ts'
import { checkRanges } from '../../entities/terms/term-ranges.ts'
import { AdvertiserPostbacks } from './advertiser-postbacks.tsx'
import { LinkTools } from './link-tools.tsx'
import { PartnerOfferChecklist } from './partner-offer-checklist.tsx'
import { HISTORIES, PartnerOfferTerms } from './partner-offer-terms.tsx'
import { partnerOfferTitle } from './partner-offer-title.ts'

const BY_OFFER: FieldSlots = { filledBy: ({ filledByOffer }) => filledByOffer }

/** A new partner offer has its check list beside the fields. */
const StoredChecklist = ({ row }: SectionProps) => (row === null ? null : <PartnerOfferChecklist row={row} />)

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
  // Offer, partner, stream and source, with the check list beside them; the links follow on the overview.
  newFields: ['offer', 'partner', 'stream', 'traffic_source', 'site_id', 'currency', 'state'],
  besideNew: PartnerOfferChecklist,
  opensOverview: true,
  above: { main: StoredChecklist, histories: PartnerOfferTerms },
  below: { links: LinkTools, postbacks: AdvertiserPostbacks },
  check: (values) => checkRanges(values, HISTORIES),
  title: partnerOfferTitle,
}
