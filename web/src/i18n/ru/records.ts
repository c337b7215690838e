// Русские слова списков, форм и экранов вокруг них: приходят с первым таким экраном.

import { causesRu } from '@tributary/contract/words/ru/causes'
import { entitiesRu } from '@tributary/contract/words/ru/entities'
import type { RecordWords } from '../shape.ts'
import { engineRu } from './engine.ts'
import { formsRu } from './forms.ts'
import { historyRu } from './history.ts'
import { linksRu } from './links.ts'
import { listsRu } from './lists.ts'
import { nounsRu } from './nouns.ts'
import { playerScreensRu } from './player-screens.ts'
import { testersRu } from './testers.ts'
import { trafficRu } from './traffic.ts'

export const recordsRu = {
  engine: engineRu,
  entities: entitiesRu,
  causes: causesRu,
  forms: formsRu,
  links: linksRu,
  testers: testersRu,
  lists: listsRu,
  nouns: nounsRu,
  history: historyRu,
  traffic: trafficRu,
  players: playerScreensRu,
} as const satisfies RecordWords
