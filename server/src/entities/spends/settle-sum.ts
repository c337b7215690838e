// Decides what an accepted sum does to the spend of its cell: its claim, and a sum of another source.

import type { Issue } from '@tributary/contract/validate'
import { isSameSum, type PlaceCurrencies, showSum } from './spend-month.ts'
import type { ChangedSpend, SpendSource, StoredSpend } from './spend-rows.ts'

export interface SettledSum {
  /** Null: the spend holds this sum already. */
  readonly change: ChangedSpend | null
  readonly warnings: readonly Issue[]
}

interface AcceptedSum {
  readonly sum: string
  readonly currency: number
  readonly offerPartner: number
  /** At least that of the stored sum; the caller has rejected lower ones. */
  readonly source: SpendSource
}

/** `currencies` words the amounts of warnings. */
export function settleSum(
  spend: StoredSpend,
  { sum, currency, offerPartner, source }: AcceptedSum,
  currencies: Pick<PlaceCurrencies, 'valueOf'>,
): SettledSum {
  const isHeld = spend.active && isSameSum(spend.sum, sum) && spend.currency === currency
  const isClaimEqual = isSameSum(spend.claim, sum) && spend.currency === currency
  if (isHeld && !isClaimEqual) return { change: null, warnings: [] }
  const warnings: Issue[] = []
  const given = showSum(sum, currencies.valueOf(currency))
  const stored = currencies.valueOf(spend.currency)
  if (spend.claim !== null && !isClaimEqual)
    warnings.push({ key: 'spend_conflict', values: { sum: given, claim: showSum(spend.claim, stored) } })
  const replaced = isHeld ? undefined : replacedKey(spend, source)
  if (replaced !== undefined)
    warnings.push({ key: replaced, values: { sum: given, before: showSum(spend.sum, stored) } })
  return { change: { id: spend.id, sum, currency, offerPartner, acceptsClaim: isClaimEqual }, warnings }
}

function replacedKey(
  spend: StoredSpend,
  source: SpendSource,
): 'spend_replaces_import' | 'spend_replaces_sheet' | undefined {
  if (spend.sum === null || !spend.active || spend.source === source) return undefined
  if (spend.source === 'sheet') return 'spend_replaces_sheet'
  return spend.source === 'import' ? 'spend_replaces_import' : undefined
}
