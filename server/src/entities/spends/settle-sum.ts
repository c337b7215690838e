// Decides what an accepted sum does to the spend of its cell: its claim, and a sum of another source.

import type { Issue } from '@tributary/contract/validate'
import type { MessageKey } from '@tributary/contract/words/messages'
import { isSameAmount, type PlaceCurrencies, showSum } from './spend-month.ts'
import type { ChangedSpend, SpendSource, StoredSpend } from './spend-rows.ts'

export interface SettledSum {
  /** Null: the spend holds this sum already, of this source. */
  readonly change: ChangedSpend | null
  /** True if the sum stays and only its source changes, so that it precedes the sources after it from now on. */
  readonly isSourceOnly: boolean
  readonly warnings: readonly Issue[]
}

interface AcceptedSum {
  readonly sum: string
  readonly currency: number
  readonly offerPartner: number
  /** Precedes that of the stored sum, or equals it: the caller has rejected others. */
  readonly source: SpendSource
}

/** `currencies` words the amounts of warnings. */
export function settleSum(
  spend: StoredSpend,
  { sum, currency, offerPartner, source }: AcceptedSum,
  currencies: Pick<PlaceCurrencies, 'valueOf'>,
): SettledSum {
  const isHeld = spend.active && isSameAmount(spend, { sum, currency })
  const isClaimEqual = isSameAmount({ sum: spend.claim, currency: spend.claimCurrency }, { sum, currency })
  const showGiven = (): string => showSum(sum, currencies.valueOf(currency))
  const replaced = replacedKey(spend, source, isHeld)
  const replacing: Issue[] = []
  if (replaced !== undefined) {
    const before = showSum(spend.sum, currencies.valueOf(spend.currency))
    replacing.push({ key: replaced, values: { sum: showGiven(), before } })
  }
  if (isHeld && !isClaimEqual) {
    if (spend.source === source) return { change: null, isSourceOnly: false, warnings: [] }
    const change = {
      id: spend.id,
      sum,
      currency,
      offerPartner: spend.offerPartner ?? offerPartner,
      acceptsClaim: false,
    }
    return { change, isSourceOnly: true, warnings: replacing }
  }
  const warnings: Issue[] = []
  if (spend.claim !== null && !isClaimEqual) {
    const claim = showSum(spend.claim, currencies.valueOf(spend.claimCurrency ?? 0))
    warnings.push({ key: 'spend_conflict', values: { sum: showGiven(), claim } })
  }
  warnings.push(...replacing)
  return {
    change: { id: spend.id, sum, currency, offerPartner, acceptsClaim: isClaimEqual },
    isSourceOnly: false,
    warnings,
  }
}

/** A removed sum comes back with the next parse while its sheet has it. Null for other sources, and for a spend that is switched off. */
export function returningIssue(
  { sum, currency, source, active }: StoredSpend,
  currencies: Pick<PlaceCurrencies, 'valueOf'>,
): Issue | null {
  if (source !== 'sheet' || sum === null || !active) return null
  return { key: 'spend_returns_from_sheet', values: { sum: showSum(sum, currencies.valueOf(currency)) } }
}

/** An equal sum changes hands only, which has consequences of its own. */
function replacedKey(spend: StoredSpend, source: SpendSource, isHeld: boolean): MessageKey | undefined {
  if (spend.sum === null || !spend.active || spend.source === source) return undefined
  if (spend.source === 'sheet') return isHeld ? 'spend_kept_from_sheet' : 'spend_replaces_sheet'
  if (spend.source === 'import') return isHeld ? 'spend_kept_from_import' : 'spend_replaces_import'
  return undefined
}
