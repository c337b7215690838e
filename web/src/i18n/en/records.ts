// English of lists, forms and the screens around them: downloaded with the first of these, not before.

import { causesEn } from '@tributary/contract/words/en/causes'
import { entitiesEn } from '@tributary/contract/words/en/entities'
import { engineEn } from './engine.ts'
import { formsEn } from './forms.ts'
import { historyEn } from './history.ts'
import { linksEn } from './links.ts'
import { listsEn } from './lists.ts'
import { nounsEn } from './nouns.ts'
import { playerScreensEn } from './player-screens.ts'
import { testersEn } from './testers.ts'
import { trafficEn } from './traffic.ts'

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
