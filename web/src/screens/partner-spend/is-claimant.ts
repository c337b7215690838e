// Whether the signed-in user only claims spend.
import { isClaimant } from '@tributary/contract/spend-claim'
import { currentHolder } from '../../state/profile-facts.ts'

export const isOfClaimant = (): boolean => {
  const holder = currentHolder()
  return holder !== undefined && isClaimant(holder)
}
