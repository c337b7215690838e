// English titles of nouns, taken from their words. A build writes the values in place of this module: all other words of nouns come later.
import { entitiesEn } from '@tributary/contract/words/en/entities'
import { titlesOf } from '../titles.ts'

export const titlesEn = titlesOf(entitiesEn)
