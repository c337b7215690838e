// The form of a spend: a claimant enters what is claimed, staff what is accepted.
import { isClaimant } from '@tributary/contract/spend-claim'
import { isEmpty } from '@tributary/contract/validate'
import type { FormSlots } from '../../entities/form/form-slots.ts'
import { currentHolder } from '../../state/profile-facts.ts'

const isOfClaimant = (): boolean => {
  const holder = currentHolder()
  return holder !== undefined && isClaimant(holder)
}

export const PARTNER_SPEND_FORM: FormSlots = {
  fields: {
    sum: { isReadOnly: isOfClaimant },
    claim_sum: {
      // Staff may decline a claim, never enter one.
      isReadOnly: (loaded) => !isOfClaimant() && isEmpty(loaded),
      isRequired: isOfClaimant,
      hint: (nouns) => (isOfClaimant() ? nouns.spend.claimHint : nouns.spend.declineHint),
    },
  },
  check: ({ sum, claim_sum: claim }) =>
    isOfClaimant() && isEmpty(claim) && isEmpty(sum) ? { claim_sum: { key: 'required' } } : {},
}
