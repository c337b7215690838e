// The key of a ledger entry, and amounts in hundredths. Everything here is pure.

import { divideHalfUp } from '@tributary/contract/money'

export type LedgerKind = 'cpa' | 'rs' | 'agency'

/** Ids of the record; 0 means none. */
export interface LedgerKey {
  readonly partner: number
  /** The earned month, 'YYYY-MM'. */
  readonly month: string
  readonly offerPartner: number
  readonly stream: number
  readonly trafficSource: number
  readonly country: number
  readonly advertiser: number
  readonly kind: LedgerKind
  readonly currency: number
}

export const keyText = (key: LedgerKey): string =>
  [
    key.partner,
    key.month,
    key.offerPartner,
    key.stream,
    key.trafficSource,
    key.country,
    key.advertiser,
    key.kind,
    key.currency,
  ].join(' ')

/** A partner's month. */
export interface PartnerMonth {
  readonly partner: number
  readonly month: string
}

export const partnerMonthText = ({ partner, month }: PartnerMonth): string => `${partner} ${month}`

/** Ten-thousandths, rounded half away from zero to whole hundredths. */
export const roundToCents = (units: bigint): bigint => (divideHalfUp(units, 100n) ?? 0n) * 100n
