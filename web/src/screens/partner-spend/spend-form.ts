// The form of a spend: a claimant enters what is claimed, staff what is accepted.
import { isEmpty } from '@tributary/contract/validate'
import type { FormSlots } from '../../entities/form/form-slots.ts'
import { ClaimCurrency } from './claim-currency.tsx'
import { isOfClaimant } from './is-claimant.ts'

export const PARTNER_SPEND_FORM: FormSlots = {
  fields: {
    sum: { isReadOnly: isOfClaimant },
    // In a new row a claimant's sum and currency are those of the claim; later the claim's currency has a field of its own.
    currency: {
      isReadOnly: (loaded) => isOfClaimant() && loaded !== undefined,
      filledBy: (nouns) => nouns.spend.currencyFilled,
    },
    claim_currency: { isReadOnly: (loaded) => !isOfClaimant() || loaded === undefined },
    claim_sum: {
      // Staff may decline a claim, never enter one.
      isReadOnly: (loaded) => !isOfClaimant() && isEmpty(loaded),
      isRequired: isOfClaimant,
      hint: (nouns) => (isOfClaimant() ? nouns.spend.claimHint : nouns.spend.declineHint),
    },
  },
  above: { main: ClaimCurrency },
  check: ({ sum, claim_sum: claim }) =>
    isOfClaimant() && isEmpty(claim) && isEmpty(sum) ? { claim_sum: { key: 'required' } } : {},
}
