// The check list of a new partner offer: requirements that are met or missing, with links to fix them.
import { IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ENTITIES } from '@tributary/contract/entities/registry'
import { useContext } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { useCan } from '../../data/profile.ts'
import { keys } from '../../data/query-client.ts'
import { idOf } from '../../entities/field/reference-id.ts'
import type { FormRow } from '../../entities/form/form-row.ts'
import { RejectionContext, type SectionProps } from '../../entities/form/form-slots.ts'
import classes from './offer-partner-form.module.css'
import { useProposedSiteId } from './site-id.ts'
import { useStreamSource } from './stream-source.ts'

export interface OfferFacts {
  readonly id: number
  readonly active: boolean
  readonly state: string
  readonly advertiserId: number | null
  readonly mediaId: string | null
}
export interface AdvertiserFacts {
  readonly mediaId: string | null
  readonly hasDomain: boolean
}
export interface PartnerFacts {
  readonly id: number
  readonly active: boolean
  readonly state: string
}
/** The server's answer to whether a stream or traffic source fits. */
export interface Verdict {
  readonly valid: boolean
  readonly message: string | null
}

/** What decides whether a partner offer may be created; null is not chosen, not loaded, or hidden from the user. */
export interface PartnerOfferFacts {
  readonly offer: OfferFacts | null
  readonly advertiser: AdvertiserFacts | null
  readonly partner: PartnerFacts | null
  readonly stream: Verdict | null
  readonly trafficSource: Verdict | null
}

export type CheckName = 'offerApproved' | 'partnerApproved' | 'mediaId' | 'domain' | 'stream' | 'trafficSource'

export interface Check {
  readonly name: CheckName
  /** Null: not loaded yet, or known only to the server. */
  readonly isMet: boolean | null
  /** The form that fixes it. */
  readonly mend: { readonly path: string; readonly word: 'mendOffer' | 'mendPartner' | 'mendAdvertiser' } | null
  readonly message: string | null
}

const isUsable = ({ active, state }: { active: boolean; state: string }) => active && state === 'approved'

/** A reason why the server rejected the partner offer. */
export interface Reason {
  readonly field: string
  readonly code: string
  readonly message: string
  readonly mend?: { readonly entity: string; readonly id: number } | undefined
}

const CHECK_OF: Readonly<Record<string, CheckName>> = {
  offer_not_approved: 'offerApproved',
  offer_inactive: 'offerApproved',
  partner_not_approved: 'partnerApproved',
  partner_inactive: 'partnerApproved',
  media_id_missing: 'mediaId',
  domain_missing: 'domain',
  stream_exists_in: 'stream',
  stream_of_other_partner: 'stream',
  traffic_source_exists: 'trafficSource',
  traffic_source_exists_in: 'trafficSource',
}

const MEND: Readonly<Record<string, (id: number) => NonNullable<Check['mend']>>> = {
  offer: (id) => ({ path: `/offers/${id}/edit`, word: 'mendOffer' }),
  partner: (id) => ({ path: `/partners/${id}/edit`, word: 'mendPartner' }),
  advertiser: (id) => ({ path: `/advertisers/${id}/edit?tab=countries`, word: 'mendAdvertiser' }),
}

/** Marks checks as unmet for which the server gave a reason. */
export function applyReasons(checks: readonly Check[], reasons: readonly Reason[]): Check[] {
  return checks.map((check) => {
    const said = reasons.filter(({ code }) => CHECK_OF[code] === check.name)
    const [first] = said
    if (first === undefined) return check
    const mend = first.mend === undefined ? check.mend : (MEND[first.mend.entity]?.(first.mend.id) ?? check.mend)
    return { ...check, isMet: false, mend, message: said.map(({ message }) => message).join('. ') }
  })
}

/** The requirements of a partner offer, from loaded facts. */
export function checkPartnerOffer({ offer, advertiser, partner, stream, trafficSource }: PartnerOfferFacts): Check[] {
  const countries =
    offer?.advertiserId == null
      ? null
      : ({ path: `/advertisers/${offer.advertiserId}/edit?tab=countries`, word: 'mendAdvertiser' } as const)
  return [
    {
      name: 'offerApproved',
      isMet: offer === null ? null : isUsable(offer),
      mend: offer === null ? null : { path: `/offers/${offer.id}/edit`, word: 'mendOffer' },
      message: null,
    },
    {
      name: 'partnerApproved',
      isMet: partner === null ? null : isUsable(partner),
      mend: partner === null ? null : { path: `/partners/${partner.id}/edit`, word: 'mendPartner' },
      message: null,
    },
    { name: 'mediaId', isMet: hasMedia(offer, advertiser), mend: countries, message: null },
    { name: 'domain', isMet: advertiser === null ? null : advertiser.hasDomain, mend: countries, message: null },
    { name: 'stream', isMet: stream?.valid ?? null, mend: null, message: stream?.message ?? null },
    { name: 'trafficSource', isMet: trafficSource?.valid ?? null, mend: null, message: trafficSource?.message ?? null },
  ]
}

/** The country's media ID, or else the advertiser's; null if the user may not view the latter. */
function hasMedia(offer: OfferFacts | null, advertiser: AdvertiserFacts | null): boolean | null {
  if (offer === null) return null
  if (offer.mediaId) return true
  return advertiser === null ? null : Boolean(advertiser.mediaId)
}

type Row = Readonly<Record<string, unknown>>

/** What is missing is mended in another tab: coming back, or choosing again, reads it anew. */
const ALWAYS_FRESH = { staleTime: 0, refetchOnWindowFocus: true } as const

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** A row that the check needs; null if it is not selected, not loaded, or hidden from the user. */
function useRow(entity: 'offer' | 'partner' | 'advertiser', id: number | null): Row | null {
  const can = useCan()
  const { data } = useQuery({
    queryKey: keys.row(entity, id ?? 0),
    queryFn: ({ signal }) => http.get<Row>(`${entity}/${id}`, { signal }),
    enabled: id !== null && can(ENTITIES[entity].access.view),
    ...ALWAYS_FRESH,
  })
  return id === null ? null : (data ?? null)
}

function useVerdict(
  stream: number | null,
  call: string,
  query: Readonly<Record<string, number | null>>,
): Verdict | null {
  const isAsked = stream !== null && Object.values(query).every((value) => value !== null)
  const { data } = useQuery({
    queryKey: [...keys.entity('partner_stream'), call, stream, query],
    queryFn: ({ signal }) => http.get<Verdict>(`partner_stream/${stream}/${call}`, { query, signal }),
    enabled: isAsked,
    ...ALWAYS_FRESH,
  })
  return isAsked ? (data ?? null) : null
}

function readOffer(row: Row): OfferFacts {
  const country = row.advertiser_country as Row | null
  return {
    id: row.id as number,
    active: row.active === true,
    state: String(row.state),
    advertiserId: idOf(row.advertiser),
    mediaId: textOf(country?.media_id),
  }
}

function readAdvertiser(row: Row, countryId: number | null): AdvertiserFacts {
  const countries = Array.isArray(row.countries) ? (row.countries as Row[]) : []
  const own = countries.find(({ id }) => id === countryId)
  return { mediaId: textOf(row.media_id), hasDomain: Boolean(textOf(own?.domain) ?? textOf(row.default_domain)) }
}

function useFacts(row: SectionProps['row']): PartnerOfferFacts {
  const [offer, partner, stream, source] = useWatch<FormRow>({ name: ['offer', 'partner', 'stream', 'traffic_source'] })
  const offerRow = useRow('offer', idOf(offer))
  const advertiserRow = useRow('advertiser', idOf(offerRow?.advertiser))
  const partnerRow = useRow('partner', idOf(partner))
  const streamId = idOf(stream)
  const ownId = row === null ? {} : { offer_partner: row.id as number }
  return {
    offer: offerRow === null ? null : readOffer(offerRow),
    advertiser: advertiserRow === null ? null : readAdvertiser(advertiserRow, idOf(offerRow?.advertiser_country)),
    partner:
      partnerRow === null
        ? null
        : { id: partnerRow.id as number, active: partnerRow.active === true, state: String(partnerRow.state) },
    stream: useVerdict(streamId, 'validate_offer', { offer: idOf(offer), ...ownId }),
    trafficSource: useVerdict(streamId, 'validate_traffic_source', {
      traffic_source: idOf(source),
      offer: idOf(offer),
      ...ownId,
    }),
  }
}

const BASES = ['offer', 'partner', 'stream', 'traffic_source'] as const

/** Reasons of the last rejection that concern values which are still selected. */
function useReasons(): readonly Reason[] {
  const rejection = useContext(RejectionContext)
  const chosen = useWatch<FormRow>({ name: [...BASES] })
  if (rejection === null) return []
  const same = new Set<string>(BASES.filter((name, index) => idOf(rejection.values[name]) === idOf(chosen[index])))
  return rejection.reasons.filter(({ field }) => same.has(field))
}

export function PartnerOfferChecklist({ row }: SectionProps) {
  const { t } = useTranslation()
  const facts = useFacts(row)
  const [offer, stream] = useWatch<FormRow>({ name: ['offer', 'stream'] })
  useStreamSource(row === null ? idOf(stream) : null)
  useProposedSiteId(row === null ? idOf(offer) : null, row === null ? idOf(stream) : null)
  const checks = applyReasons(checkPartnerOffer(facts), useReasons())
  const isChosen = facts.offer !== null || facts.partner !== null
  const isReady = checks.every(({ isMet }) => isMet === true)
  // An existing partner offer shows the list only if a requirement is no longer met.
  if (row !== null && !checks.some(({ isMet }) => isMet === false)) return null
  return (
    <section className={classes.checklist} aria-live="polite">
      <h2 className={classes.title}>
        {row !== null
          ? t(($) => $.nouns.check.broken)
          : isReady
            ? t(($) => $.nouns.check.ready)
            : t(($) => $.nouns.check.title)}
      </h2>
      {isChosen ? (
        <ul className={classes.checks}>
          {checks.map((check) => (
            <CheckItem key={check.name} check={check} />
          ))}
        </ul>
      ) : (
        <p className={classes.text}>{t(($) => $.nouns.check.choose)}</p>
      )}
    </section>
  )
}

function CheckItem({ check }: { check: Check }) {
  const { t } = useTranslation()
  const { name, isMet, mend, message } = check
  const Icon = isMet === null ? IconCircleDashed : isMet ? IconCircleCheck : IconCircleX
  const tone = isMet === null ? classes.open : isMet ? classes.met : classes.unmet
  const word =
    isMet === null
      ? t(($) => $.nouns.check.unknown)
      : isMet
        ? t(($) => $.nouns.check.done)
        : t(($) => $.nouns.check.missing)
  return (
    <li className={classes.check} data-met={String(isMet)}>
      <Icon size={17} className={tone} role="img" aria-label={word} />
      <span>
        {t(($) => $.nouns.check[name])}
        {isMet === false && message !== null ? <span className={classes.reason}>{message}</span> : null}
      </span>
      {isMet === false && mend !== null ? (
        <Link to={mend.path} className={classes.mend ?? ''}>
          {t(($) => $.nouns.check[mend.word])}
        </Link>
      ) : null}
    </li>
  )
}
