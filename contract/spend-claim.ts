// Decides whose entered spend is only a claim until staff accept it.

import { type AccessHolder, isAllowed } from './access.ts'
import { SPEND_EDIT } from './entities/partner-spend.ts'

/** True for a PARTNER with any permissions, and for staff who may only enter spend on a partner's behalf. */
export const isClaimant = (holder: AccessHolder): boolean => holder.role === 'PARTNER' || !isAllowed(SPEND_EDIT, holder)
