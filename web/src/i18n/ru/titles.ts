// Russian titles of nouns, taken from their words. A build writes the values in place of this module: all other words of nouns come later.
import { entitiesRu } from '@tributary/contract/words/ru/entities'
import { titlesOf } from '../titles.ts'

export const titlesRu = titlesOf(entitiesRu)
