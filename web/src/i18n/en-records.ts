// English of lists, forms and the screens around them: downloaded with the first of these, not before.

import { causesEn } from '@tributary/contract/words/en/causes'
import { entitiesEn } from '@tributary/contract/words/en/entities'
import { engineEn } from './en-engine.ts'
import { formsEn } from './en-forms.ts'
import { historyEn } from './en-history.ts'
import { linksEn } from './en-links.ts'
import { listsEn } from './en-lists.ts'
import { nounsEn } from './en-nouns.ts'
import { playerScreensEn } from './en-player-screens.ts'
import { testersEn } from './en-testers.ts'
import { trafficEn } from './en-traffic.ts'

export const recordsEn = {
  engine: engineEn,
  entities: entitiesEn,
  causes: causesEn,
  forms: formsEn,
  links: linksEn,
  testers: testersEn,
  lists: listsEn,
  nouns: nounsEn,
  history: historyEn,
  traffic: trafficEn,
  players: playerScreensEn,
} as const
