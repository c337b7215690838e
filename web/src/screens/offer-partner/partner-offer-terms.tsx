// The time line of a partner offer: its own dated terms, and those of its offer that hold where it has none.
import { useQuery } from '@tanstack/react-query'
import type { EntityName } from '@tributary/contract/entities/registry'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { entityOf } from '../../entities/field/field-at.ts'
import type { SectionProps } from '../../entities/form/form-slots.ts'
import { rowsOf, type TermRow } from '../../entities/terms/term-ranges.ts'
import { TermTimeline, type TermTrack, trackOf } from '../../entities/terms/term-timeline.tsx'
import { useLabels } from '../../i18n/labels.ts'

export const HISTORIES = [
  'cost_history',
  'rs_share_history',
  'agency_percentage_history',
  'currency_history',
  'bl_deposit_history',
  'bl_period_history',
  'max_days_history',
  'bet_requirement_history',
  'country_requirement_history',
] as const

const OFFER: EntityName = 'offer'
const OFFER_HISTORIES = ['payment_model_history', 'terms_history'] as const

const offerOf = (row: SectionProps['row']): number | null => {
  const offer = row?.offer
  return typeof offer === 'object' && offer !== null && 'id' in offer && typeof offer.id === 'number' ? offer.id : null
}

export function PartnerOfferTerms({ row }: SectionProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const can = useCan()
  const id = offerOf(row)
  const offer = useQuery({
    queryKey: [OFFER, 'terms', id],
    queryFn: ({ signal }) => http.get<TermRow>(`${OFFER}/${id}`, { signal }),
    enabled: id !== null && can(entityOf(OFFER).access.view),
  })
  const others = OFFER_HISTORIES.flatMap((name): TermTrack[] => {
    const track = trackOf(labels, OFFER, name, rowsOf(offer.data?.[name]))
    return track === null ? [] : [{ ...track, label: t(($) => $.links.ofOffer, { term: track.label }) }]
  })
  return <TermTimeline entity="offer_partner" names={HISTORIES} others={offer.data === undefined ? [] : others} />
}
