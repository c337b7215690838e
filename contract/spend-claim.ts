// Whose entered spend is a claim: a partner's, whatever permissions they hold, and that of staff who may enter spend on a partner's behalf only.
import { type Holder, isAllowed } from './access.ts'
import { SPEND_EDIT } from './entities/partner-spend.ts'

export const isClaimant = (holder: Holder): boolean => holder.role === 'PARTNER' || !isAllowed(SPEND_EDIT, holder)
