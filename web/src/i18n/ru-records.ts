// Русские слова списков, форм и экранов вокруг них: приходят с первым таким экраном.

import { causesRu } from '@tributary/contract/words/ru/causes'
import { entitiesRu } from '@tributary/contract/words/ru/entities'
import { engineRu } from './ru-engine.ts'
import { formsRu } from './ru-forms.ts'
import { historyRu } from './ru-history.ts'
import { linksRu } from './ru-links.ts'
import { listsRu } from './ru-lists.ts'
import { nounsRu } from './ru-nouns.ts'
import { playerScreensRu } from './ru-player-screens.ts'
import { testersRu } from './ru-testers.ts'
import { trafficRu } from './ru-traffic.ts'
import type { RecordWords } from './shape.ts'

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
