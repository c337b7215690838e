// The time line of a partner offer: its own dated terms, and those of its offer, payment models and the settings that hold where it has none.
import { useQuery } from '@tanstack/react-query'
import type { EntityName } from '@tributary/contract/entities/registry'
import { SETTING_ID } from '@tributary/contract/entities/setting'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { entityOf } from '../../entities/field/field-at.ts'
import { isReference } from '../../entities/field/field-value.tsx'
import type { SectionProps } from '../../entities/form/form-slots.ts'
import { rowsOf, type TermRow } from '../../entities/terms/term-ranges.ts'
import { TermTimeline, type TermTrack, trackOf, withBase } from '../../entities/terms/term-timeline.tsx'
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
  const common = useCommonTerms(offer.data)
  const others = OFFER_HISTORIES.flatMap((name): TermTrack[] => {
    const track = trackOf(labels, OFFER, name, rowsOf(offer.data?.[name]))
    if (track === null) return []
    return [withBase({ ...track, label: t(($) => $.links.ofOffer, { term: track.label }) }, OFFER, offer.data ?? null)]
  })
  return (
    <TermTimeline
      entity="offer_partner"
      names={HISTORIES}
      row={row}
      others={offer.data === undefined ? [] : [...others, ...common]}
    />
  )
}

const MODEL: EntityName = 'payment_model'
const PERCENTAGE: EntityName = 'agency_percentage_history'

/** Shares of the offer's payment models, and the agency percentage of the settings if one of them is agency; for those who may read them. */
function useCommonTerms(offer: TermRow | undefined): TermTrack[] {
  const { t } = useTranslation()
  const labels = useLabels()
  const can = useCan()
  const named = [offer?.payment_model, ...rowsOf(offer?.payment_model_history).map(({ value }) => value)]
  const ids = [...new Set(named.flatMap((model) => (isReference(model) ? [model.id] : [])))]
  const { data: models = [] } = useQuery({
    queryKey: [MODEL, 'terms', ids],
    queryFn: ({ signal }) => Promise.all(ids.map((id) => http.get<TermRow>(`${MODEL}/${id}`, { signal }))),
    enabled: ids.length > 0 && can(entityOf(MODEL).access.view),
  })
  const isAgency = models.some(({ type }) => type === 'AGENCY')
  const settings = useQuery({
    queryKey: ['setting', 'agency percentage'],
    queryFn: async ({ signal }) => {
      const [setting, ranges] = await Promise.all([
        http.get<TermRow>(`setting/${SETTING_ID}`, { signal }),
        http.get<{ items: TermRow[] }>(PERCENTAGE, { query: { limit: '-1' }, signal }),
      ])
      return { setting, rows: ranges.items }
    },
    enabled: isAgency && can(entityOf(PERCENTAGE).access.view),
  })
  const shares = models.flatMap((model): TermTrack[] => {
    const track = trackOf(labels, MODEL, 'share_history', rowsOf(model.share_history))
    if (track === null || (model.type !== 'RS' && model.type !== 'CPA_RS')) return []
    const label = t(($) => $.links.ofModel, { model: String(model.title), term: track.label })
    return [withBase({ ...track, label }, MODEL, model)]
  })
  if (!isAgency || settings.data === undefined) return shares
  const label = t(($) => $.links.ofSettings, { term: labels.field('setting', 'agency_spend_percentage') })
  const { setting, rows } = settings.data
  return [...shares, withBase({ history: PERCENTAGE, owner: null, label, rows }, 'setting', setting)]
}
