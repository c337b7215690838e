// Names of entities, fields and choices in every language, for files and mails.

import type { Language } from '@tributary/contract/language'
import { causesEn } from '@tributary/contract/words/en/causes'
import { commonEn } from '@tributary/contract/words/en/common'
import { entitiesEn } from '@tributary/contract/words/en/entities'
import type { Words } from '@tributary/contract/words/entity-words'
import { causesRu } from '@tributary/contract/words/ru/causes'
import { commonRu } from '@tributary/contract/words/ru/common'
import { entitiesRu } from '@tributary/contract/words/ru/entities'

export const WORDS: Readonly<Record<Language, Words>> = {
  en: { common: commonEn, entities: entitiesEn, causes: causesEn },
  ru: { common: commonRu, entities: entitiesRu, causes: causesRu },
}
