// The form of a player: what staff may correct.

import type { FormSlots } from '../../entities/form/form-slots.ts'
import type { ListSlots } from '../../entities/list/list-screen.tsx'
import { PaymentActions } from './payment-actions.tsx'

export const PLAYER_FORM: FormSlots = {
  // A player can only be moved to a partner offer of the same advertiser.
  fields: { offer_partner: { dependsOn: { field: 'advertiser', path: 'offer.advertiser' } } },
}

export const PLAYER_LIST: ListSlots = { BulkActions: PaymentActions }
