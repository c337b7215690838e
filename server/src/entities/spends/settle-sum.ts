// Decides what an accepted sum does to the spend of its cell: its claim, and a sum of another source.

import type { Issue } from '@tributary/contract/validate'
import { isSameSum } from './spend-month.ts'
import type { ChangedSpend, SpendSource, StoredSpend } from './spend-rows.ts'

export interface SettledSum {
  /** Null: the spend holds this sum already. */
  readonly change: ChangedSpend | null
  readonly warnings: readonly Issue[]
}

/** `source` is at least that of the stored sum; the caller has rejected lower ones. */
export function settleSum(
  spend: StoredSpend,
  { sum, currency, offerPartner, source }: { sum: string; currency: number; offerPartner: number; source: SpendSource },
): SettledSum {
  const isHeld = spend.active && isSameSum(spend.sum, sum) && spend.currency === currency
  const isClaimEqual = isSameSum(spend.claim, sum) && spend.currency === currency
  if (isHeld && !isClaimEqual) return { change: null, warnings: [] }
  const warnings: Issue[] = []
  if (spend.claim !== null && !isClaimEqual)
    warnings.push({ key: 'spend_conflict', values: { sum, claim: spend.claim } })
  const replaced = isHeld ? undefined : replacedKey(spend, source)
  if (replaced !== undefined) warnings.push({ key: replaced, values: { sum, before: spend.sum ?? '' } })
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
