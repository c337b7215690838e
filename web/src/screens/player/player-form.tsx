// A player's page: how far from qualifying, the story from the click on, and the fields that a person may correct.

import type { FormSlots } from '../../entities/form/form-slots.ts'
import type { ListSlots } from '../../entities/list/list-screen.tsx'
import { PaymentActions } from './payment-actions.tsx'
import { PlayerStory } from './player-story.tsx'

export const PLAYER_FORM: FormSlots = {
  // A player goes to a link of the same advertiser.
  fields: { offer_partner: { dependsOn: { field: 'advertiser', path: 'offer.advertiser' } } },
  above: { main: PlayerStory },
}

export const PLAYER_LIST: ListSlots = { BulkActions: PaymentActions }
