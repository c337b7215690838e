// A player's page: how far from qualifying, the story from the click on, and the fields that a person may correct.
import type { FormParts } from '../../entities/form/form-parts.ts'
import { FormScreen } from '../../entities/form/form-screen.tsx'
import { PlayerStory } from './player-story.tsx'

const PARTS: FormParts = {
  // A player goes to a link of the same advertiser.
  fields: { offer_partner: { dependsOn: { field: 'advertiser', path: 'offer.advertiser' } } },
  above: { main: PlayerStory },
}

export function PlayerForm({ id }: { id: number | null }) {
  return <FormScreen name="player" id={id} parts={PARTS} />
}
