// Row validation: what forms and the API reject, and with which messages.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { advertiser } from '../entities/advertiser.ts'
import { offerPartner } from '../entities/offer-partner.ts'
import { ENTITIES, type EntityName } from '../entities/registry.ts'
import type { Field } from '../field.ts'
import { checkField, checkRow } from '../validate.ts'
import { en } from '../words/en/messages.ts'
import { chooseLanguage, type MessageKey, say } from '../words/messages.ts'

const keys = (field: Field, value: unknown) => checkField(field, value).map(({ key }) => key)

test('an advertiser domain must start with https:// [ENT-10]', () => {
  const field = advertiser.fields.default_domain
  expect(keys(field, 'http://brand.example')).toEqual(['domain_invalid'])
  expect(keys(field, 'https://')).toEqual(['url_invalid'])
  expect(keys(field, 'https://brand.example')).toEqual([])
  expect(keys(field, 'https://brand.example/?c={click_id}')).toEqual([])
  expect(keys(field, 'https://brand.example/?c={clik_id}')).toEqual(['unknown_macro'])
})

test.each(['url', 'template', 'domain'] as const)(
  'an address of the form %s leads to a site, never to a script [API-05]',
  (format) => {
    const field = { kind: 'text', format } as const
    for (const scheme of ['javascript:', 'JavaScript:', 'data:text/html,', 'vbscript:', 'file:', 'blob:'])
      for (const rest of ['alert(1)', '//bait.example/%0aalert(1)', '//https://bait.example'])
        expect([scheme + rest, keys(field, scheme + rest).length]).toEqual([scheme + rest, 1])
    expect(keys(field, 'https://bait.example/javascript:1')).toEqual([])
  },
)

test('a site id contains neither space nor comma [ENT-16]', () => {
  const field = offerPartner.fields.site_id
  expect(keys(field, 'a b')).toEqual(['no_space_or_comma'])
  expect(keys(field, 'a,b')).toEqual(['no_space_or_comma'])
  expect(keys(field, '')).toEqual(['required'])
  expect(keys(field, '   ')).toEqual(['not_empty'])
  expect(keys(field, 'site-1')).toEqual([])
})

test('a code or an address has no invisible character, which a paste may bring; a name may have one, for its direction [FORM-04]', () => {
  for (const code of ['\u200bEUR', '\u202eEUR', 'E\u00adUR', 'EUR\ufeff\u2060'])
    expect(keys({ kind: 'text', format: 'token' }, code)).toEqual(['control_characters'])
  expect(keys({ kind: 'text', format: 'template' }, 'https://x.example/?c=\u200b{click_id}')).toEqual([
    'control_characters',
  ])
  expect(keys({ kind: 'text', format: 'token' }, 'EUR')).toEqual([])
  expect(keys({ kind: 'text' }, '\u200fشركة')).toEqual([])
})

test('generic messages say what is wrong [FORM-03]', () => {
  const integer: Field = { kind: 'integer', min: 0, max: 10 }
  const money: Field = { kind: 'decimal', scale: 4, min: 0, max: 100 }
  expect(keys(integer, 'x')).toEqual(['only_numbers'])
  expect(keys(integer, 1.5)).toEqual(['only_integers'])
  expect(keys(integer, -1)).toEqual(['min_value'])
  expect(keys(integer, 11)).toEqual(['max_value'])
  expect(['7', '11', '-1', '1.5', '1e0', ' 7', '9'.repeat(30)].map((text) => keys(integer, text))).toEqual([
    [],
    ['max_value'],
    ['min_value'],
    ['only_integers'],
    ['only_numbers'],
    ['only_numbers'],
    ['max_value'],
  ])
  expect(keys(money, '1.23456')).toEqual(['too_precise'])
  expect(keys(money, '1e3')).toEqual(['only_numbers'])
  expect(keys({ kind: 'text' }, 'x'.repeat(256))).toEqual(['max_length'])
  expect(keys({ kind: 'text', format: 'email' }, 'a@b')).toEqual(['email_invalid'])
  expect(keys({ kind: 'text', format: 'url' }, 'javascript:alert(1)')).toEqual(['url_invalid'])
  expect(keys({ kind: 'text', format: 'template' }, 'https://x.example/?a={nothing}')).toEqual(['unknown_macro'])
  expect(keys({ kind: 'text' }, 'a\u0000b')).toEqual(['control_characters'])
  expect(keys({ kind: 'date' }, '2026-02-30')).toEqual(['date_invalid'])
  expect(keys({ kind: 'choice', options: ['a'] }, 'b')).toEqual(['choice_unknown'])
})

/** For each message, a field and a value that cause it. */
const REACHED: [MessageKey, EntityName, string, unknown][] = [
  ['required', 'landing', 'title', ''],
  ['not_empty', 'landing', 'title', '   '],
  ['value_invalid', 'offer', 'advertiser', 'x'],
  ['email_invalid', 'user', 'email', 'nobody@nowhere'],
  ['spreadsheet_invalid', 'partner', 'spend_spreadsheet_id', 'not valid id!'],
  ['max_length', 'product', 'title', 'x'.repeat(256)],
  ['min_length', 'currency', 'value', 'E'],
  ['max_value', 'offer', 'days', 3651],
  ['min_value', 'offer', 'cost', '-1'],
  ['only_numbers', 'country', 'crm_country_id', 'forty-eight'],
  ['only_integers', 'offer', 'days', 1.5],
  ['only_positive_integers', 'country', 'crm_country_id', '-48'],
  ['only_words', 'user', 'name_for_analysts', 'Agent 007'],
  ['no_leading_zero', 'country', 'crm_country_id', '048'],
  ['too_precise', 'offer', 'cost', '1.00001'],
  ['url_invalid', 'traffic_source', 'url', 'not an address'],
  ['domain_invalid', 'advertiser', 'default_domain', 'http://brand.example'],
  ['no_space_or_comma', 'offer_partner', 'site_id', 'a, b'],
  ['date_invalid', 'offer_partner_cost_history', 'date_from', '2026-02-30'],
  ['country_code_invalid', 'country', 'code', 'us'],
  ['control_characters', 'product', 'title', 'a\u0007b'],
  ['choice_unknown', 'offer', 'state', 'maybe'],
  ['unknown_macro', 'landing', 'value', '/?a={nothing}'],
]

test.each(REACHED)('%s is the message of %s.%s, in both languages [FORM-03]', (key, name, path, value) => {
  const field = (ENTITIES[name].fields as Readonly<Record<string, Field>>)[path]
  const [issue] = field === undefined ? [] : checkField(field, value)
  expect(issue?.key).toBe(key)
  const [english, russian] = [say('en', key, issue?.values), say('ru', key, issue?.values)]
  expect(english).not.toMatch(/[{}а-яё]/i)
  expect(russian).toMatch(/[а-яё]/i)
  expect(russian).not.toMatch(/[{}]/)
})

test('every message exists in both languages with the same placeholders [FORM-03] [I18N-02]', () => {
  const places = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()
  for (const key of Object.keys(en) as MessageKey[]) {
    const [english, russian] = [say('en', key), say('ru', key)]
    expect(english, key).not.toMatch(/[а-яё]/i)
    expect(russian, key).toMatch(/[а-яё]/i)
    expect(places(russian), key).toEqual(places(english))
  }
})

test('an id of another system has no sign, fraction or leading zero; names have letters only [FORM-03]', () => {
  const number: Field = { kind: 'text', format: 'number' }
  expect(['48', '0', '00', '1.5', '-3', '07', '4e2'].map((text) => keys(number, text)[0])).toEqual([
    undefined,
    'only_positive_integers',
    'only_positive_integers',
    'only_positive_integers',
    'only_positive_integers',
    'no_leading_zero',
    'only_numbers',
  ])
  expect(["Anna-Maria O'Neil", 'Жан-Клод'].flatMap((text) => keys({ kind: 'text', format: 'words' }, text))).toEqual([])
})

test('required fields are required at creation, not for a partial change', () => {
  expect(Object.keys(checkRow(advertiser, {}, true)).sort()).toEqual(['default_currency', 'default_domain', 'title'])
  expect(checkRow(advertiser, {}, false)).toEqual({})
})

test('no value of any type makes a check throw [API-05]', () => {
  const fields = Object.values({ ...offerPartner.fields, ...advertiser.fields }) as Field[]
  fc.assert(
    fc.property(fc.constantFrom(...fields), fc.anything(), (field, value) => {
      for (const { key } of checkField(field, value)) expect(key in en).toBe(true)
    }),
  )
})

test('the header chooses the language, English unless Russian is preferred [I18N-01]', () => {
  expect(chooseLanguage('ru-RU,ru;q=0.9,en;q=0.8')).toBe('ru')
  expect(chooseLanguage('en;q=0.5,ru;q=0.9')).toBe('ru')
  expect(chooseLanguage('de,fr')).toBe('en')
  expect(chooseLanguage(undefined)).toBe('en')
  expect(say('ru', 'max_length', { max: 5 })).toBe('Не больше 5 символов')
})
