import { ENTITIES, ENTITY_NAMES } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import type { Field } from '@tributary/contract/field'
import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { en } from '../src/i18n/en/dictionary.ts'
import { labelsOf, roleTitle } from '../src/i18n/labels.ts'
import { ru } from '../src/i18n/ru/dictionary.ts'
import type { Dictionary } from '../src/i18n/shape.ts'

const languages = { en: en as unknown as Dictionary, ru: ru as Dictionary }

function leaves(tree: object, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${path}${key}`, value] as [string, string]]
      : leaves(value as object, `${path}${key}.`),
  )
}

const stemOf = (key: string) => key.replace(/_(one|few|many|other)$/, '')

test('both languages have the same keys, and every sentence the same placeholders [I18N-02]', () => {
  const english = new Map(leaves(en).map(([key, text]) => [stemOf(key), text]))
  const russian = new Map(leaves(ru).map(([key, text]) => [stemOf(key), text]))
  expect(new Set(russian.keys())).toEqual(new Set(english.keys()))
  const holes = (text: string | undefined) =>
    new Set([...(text ?? '').matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name))
  for (const [key, text] of english) expect([key, holes(russian.get(key))]).toEqual([key, holes(text)])
})

test('no word is empty, and Russian words are Russian unless they are names [I18N-02]', () => {
  for (const [key, text] of [...leaves(en), ...leaves(ru)]) expect([key, text.trim()]).not.toEqual([key, ''])
  const same = leaves(ru).filter(
    // A text of placeholders and punctuation alone has no words.
    ([, text]) =>
      /\p{L}/u.test(text.replaceAll(/\{\{\w+\}\}/g, '')) &&
      !/[а-яё]/i.test(text) &&
      !/^[\p{Lu}\d{}\s·–:,%+.…→/()_-]|ID|iPhone|Tributary/u.test(text),
  )
  expect(same).toEqual([])
})

test('built-in roles have their name in the language of the screen, renamed ones their own [I18N-02]', () => {
  const titles = ['Administrator', 'Team leader', 'Manager', 'Partner', 'Night shift']
  expect(titles.map((title) => roleTitle(title, languages.ru))).toEqual([
    'Администратор',
    'Тимлид',
    'Менеджер',
    'Партнёр',
    'Night shift',
  ])
  expect(titles.map((title) => roleTitle(title, languages.en))).toEqual(titles)
})

test('lists that fill themselves say what they hold [LIST-01]', () => {
  for (const { list } of Object.values(languages))
    for (const [name, text] of Object.entries(list.emptyOf)) {
      expect(ENTITY_NAMES).toContain(name)
      expect(text).not.toBe(list.emptyHint)
    }
})

test('every entity, column, filter, section and choice has words in both languages [I18N-02]', () => {
  for (const words of Object.values(languages)) {
    const labels = labelsOf(words)
    for (const name of ENTITY_NAMES) {
      const entity: Entity = ENTITIES[name]
      for (const path of [...entity.list.columns, ...entity.list.filters])
        expect([name, path, labels.field(name, path)]).not.toEqual([name, path, path])
      for (const section of entity.form) expect(labels.section(section.name)).not.toBe(section.name)
      for (const [field, declared] of Object.entries<Field>(entity.fields))
        if (declared.kind === 'choice' || declared.kind === 'choices')
          for (const option of declared.options) expect(labels.choice(name, field, option)).toMatch(/\p{L}/u)
    }
  }
})

test('a path through references is labelled by its last field', () => {
  const labels = labelsOf(languages.en)
  expect(labels.field('offer_partner', 'offer.advertiser')).toBe('Advertiser')
  expect(labels.field('offer_partner', 'partner.partner_partner_groups.partner_group')).toBe('Group')
  expect(labels.field('player', 'created_at')).toBe('Created')
})

beforeAll(async () => {
  await i18next.init({
    lng: 'ru',
    resources: { ru: { translation: ru }, en: { translation: en } },
    interpolation: { escapeValue: false },
  })
})

test('Russian uses its three plural forms [I18N-01]', () => {
  const say = (count: number) => i18next.t(($) => $.list.rows, { count, lng: 'ru' })
  expect([1, 2, 5, 11, 21, 22].map(say)).toEqual([
    '1 строка',
    '2 строки',
    '5 строк',
    '11 строк',
    '21 строка',
    '22 строки',
  ])
})
