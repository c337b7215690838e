// Applies the rules of entered spends: an agency partner offer, not after today, activity on that day. They hold for every source.

import { today } from '@tributary/contract/period'
import { type Db, type Engines, readBusinessZone } from '../engine/model/request-context.ts'
import { findActivePlaces, findSpendOfferPartners, type SpendPlace } from './spend-link.ts'

export interface SpendToJudge {
  readonly place: SpendPlace
  /** The partner offer that the spend keeps if it can. */
  readonly currentId: number | null
  /** False: the spend already stands in this place, and needs no activity. */
  readonly isNew: boolean
}

export const SPEND_REFUSALS = [
  'date_future',
  'spend_link_missing',
  'spend_site_missing',
  'not_agency',
  'spend_without_activity',
] as const
export type SpendRefusal = (typeof SPEND_REFUSALS)[number]

export type SpendVerdict =
  | { readonly link: number }
  | { readonly refused: SpendRefusal; readonly values: Readonly<Record<string, string>> }

const refuse = (refused: SpendRefusal, values: Readonly<Record<string, string>> = {}): SpendVerdict => ({
  refused,
  values,
})

/** In the order of `spends`. */
export async function judgeSpends(
  db: Db,
  engines: Pick<Engines, 'clickhouse'>,
  spends: readonly SpendToJudge[],
): Promise<SpendVerdict[]> {
  const last = today(await readBusinessZone(db))
  const links = await findSpendOfferPartners(db, spends)
  const verdicts = spends.map(({ place }, index): SpendVerdict => {
    const link = links[index]
    if (place.day > last) return refuse('date_future')
    if (link === undefined) return refuse(place.site === null ? 'spend_link_missing' : 'spend_site_missing')
    if (link.isAgency) return { link: link.id }
    return refuse('not_agency', { model: link.model, since: link.since })
  })
  const places = spends.map(({ place, isNew }, index) => {
    const verdict = verdicts[index]
    return isNew && verdict !== undefined && 'link' in verdict ? { ...place, link: verdict.link } : null
  })
  const active = await findActivePlaces(
    db,
    engines,
    places.filter((place) => place !== null),
  )
  return verdicts.map((verdict, index) => {
    const place = places[index] ?? null
    return place === null || active.has(place) ? verdict : refuse('spend_without_activity')
  })
}
