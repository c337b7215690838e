// Reads one player's progress towards qualification from the current record.

import { today } from '@tributary/contract/period'
import type { Postgres } from '../../postgres/client.ts'
import { readSnapshot } from '../snapshot.ts'
import { readRates } from '../terms-reader.ts'
import { qualifyingDays } from './player-projection.ts'
import { readPlayers } from './player-records.ts'
import { limitsOn, type Qualification } from './qualification.ts'
import { computeProgress, type QualificationProgress } from './qualification-progress.ts'

/** The qualification of a player as their story shows it. */
export interface PlayerProgress extends QualificationProgress {
  readonly state: Qualification
  readonly registeredDay: string
  readonly today: string
  readonly actualCountryId: number
  readonly offerCountryId: number
}

/** `now` is in milliseconds. Undefined for players who cannot qualify: inactive, not registered, or without a partner offer. */
export function readPlayerProgress(
  postgres: Postgres,
  id: number,
  now = Date.now(),
): Promise<PlayerProgress | undefined> {
  return readSnapshot(postgres, async (snapshot) => {
    const { records, terms } = await readPlayers(snapshot, [id], await readRates(snapshot))
    const record = records[0]
    const offerPartner = terms.offerPartners.get(record?.dimensions.offer_partner_id ?? 0)
    const offer = terms.offers.get(offerPartner?.offerId ?? 0)
    if (record === undefined || offerPartner === undefined || offer === undefined || record.registeredDay === null)
      return undefined
    const { registeredDay } = record
    const candidate = {
      registeredDay,
      actualCountryId: record.dimensions.actual_country_id,
      offerCountryId: offer.countryId,
      days: qualifyingDays(record),
    }
    const day = today(snapshot.setting.zone, now)
    return {
      ...computeProgress(candidate, limitsOn(registeredDay, offerPartner, offer), terms.rates, day),
      state: record.qualification,
      registeredDay,
      today: day,
      actualCountryId: candidate.actualCountryId,
      offerCountryId: candidate.offerCountryId,
    }
  })
}
