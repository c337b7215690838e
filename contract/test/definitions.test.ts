// Every metric, dimension and field is defined in one sentence, in both languages. The compiler finds missing ones.
import { expect, test } from 'vitest'
import { ENTITIES, ENTITY_NAMES } from '../entities/registry.ts'
import { DIMENSION_NAMES, METRICS } from '../reports/traffic.ts'
import { type Definitions, fieldDefinition } from '../words/definition.ts'
import { definitionsEn } from '../words/en/definitions.ts'
import { definitionsRu } from '../words/ru/definitions.ts'

const LANGUAGES: readonly [string, Definitions, RegExp][] = [
  ['en', definitionsEn, /^[A-Z1][^а-яё]+[^.\s]$/],
  ['ru', definitionsRu, /^(?=.*[а-яё])[А-ЯЁA-Z1].+[^.\s]$|^GET или POST$/],
]

test.each(LANGUAGES)(
  'every field, metric and dimension has a definition of one sentence, %s [I18N-02]',
  (_, all, form) => {
    const texts: [string, string | undefined][] = ENTITY_NAMES.flatMap((name) =>
      ['id', 'active', 'created_at', 'updated_at', ...Object.keys(ENTITIES[name].fields)].map(
        (field): [string, string | undefined] => [`${name}.${field}`, fieldDefinition(all, name, field)],
      ),
    )
    for (const metric of Object.keys(METRICS) as (keyof typeof METRICS)[]) texts.push([metric, all.metrics[metric]])
    for (const dimension of DIMENSION_NAMES) texts.push([dimension, all.dimensions[dimension]])
    for (const [name, text = ''] of texts) {
      expect([name, text]).toEqual([name, expect.stringMatching(form)])
      expect([name, text.length <= 120 && !/\.\s/.test(text)]).toEqual([name, true])
    }
  },
)

test('a path through references ends in the definition of its last field; an entity may define a shared field anew', () => {
  expect(fieldDefinition(definitionsEn, 'offer_partner', 'offer.advertiser')).toBe(definitionsEn.fields.advertiser)
  expect(fieldDefinition(definitionsEn, 'click', 'country')).toBe('The country of the offer')
  expect(fieldDefinition(definitionsEn, 'player', 'offer_partner.offer.cost')).toBe(definitionsEn.entities.offer.cost)
})
