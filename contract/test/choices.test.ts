// Choices are read as words, never as the names under which they are stored.
import { expect, test } from 'vitest'
import { ENTITIES, ENTITY_NAMES } from '../entities/registry.ts'
import type { Entity } from '../entity.ts'
import { commonEn } from '../words/en/common.ts'
import { entitiesEn } from '../words/en/entities.ts'
import { choiceLabel } from '../words/entity-words.ts'
import { commonRu } from '../words/ru/common.ts'
import { entitiesRu } from '../words/ru/entities.ts'

test.each([
  ['English', { common: commonEn, entities: entitiesEn }],
  ['Russian', { common: commonRu, entities: entitiesRu }],
])(
  'every choice of every entity has words in %s, such as the method of a payment [I18N-02] [MON-13]',
  (_name, words) => {
    const stored = ENTITY_NAMES.flatMap((name) => {
      const entity: Entity = ENTITIES[name]
      return Object.entries(entity.fields).flatMap(([path, field]) =>
        field.kind === 'choice' || field.kind === 'choices'
          ? field.options
              .filter((option) => choiceLabel(words, name, path, option).includes('_'))
              .map((option) => [name, path, option])
          : [],
      )
    })
    expect(stored).toEqual([])
    expect(choiceLabel(words, 'payment', 'method', 'bank_transfer')).toMatch(/^(Bank transfer|Банковский перевод)$/)
  },
)
