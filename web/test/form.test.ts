// Forms: conversion to the wire, changes, validation, merging of two versions, numbers while they are typed.
import { ENTITY_NAMES } from '@tributary/contract/entities/registry'
import { describe, expect, test } from 'vitest'
import { entityOf } from '../src/entities/field/field-at.ts'
import {
  caretAt,
  clampNumber,
  cleanNumber,
  countCharacters,
  findPasteLoss,
  isNumberText,
  showNumber,
} from '../src/entities/field/number-mask.ts'
import { buildChange, checkForm, placeInForm, sectionsAt } from '../src/entities/form/form-change.ts'
import {
  type ChildRow,
  type FormRow,
  makeRowKey,
  makeTempId,
  newChild,
  toForm,
  trimDecimal,
} from '../src/entities/form/form-row.ts'
import { initialOf } from '../src/entities/form/form-slots.ts'
import { countChanges, findDifferences, mergeRows, sidesOf } from '../src/entities/form/stale-merge.ts'

const stored = {
  id: 3,
  active: true,
  version: 5,
  title: 'Euro',
  value: 'EUR',
  rates: [
    { id: 11, date: '2026-01-01', rate: '1.00000000', version: 1 },
    { id: 12, date: '2026-02-01', rate: '1.25000000', version: 1 },
  ],
}

const ratesOf = (row: FormRow) => row.rates as ChildRow[]

describe('values and the wire', () => {
  test('an unchanged form sends nothing, for every entity [FORM-09]', () => {
    for (const name of ENTITY_NAMES) {
      const base = toForm(name, { id: 1, active: true })
      expect(buildChange(name, structuredClone(base), base).body, name).toEqual({})
    }
  })

  test('only changed fields are sent; rows carry their status [FORM-09]', () => {
    const base = toForm('currency', stored)
    const values = structuredClone(base)
    values.title = ' Euro II '
    const [first, second] = ratesOf(values)
    if (first) first.rate = '1.1'
    if (second) second._status = 'deleted'
    ratesOf(values).push({ ...newChild('currency_rate', 'currency'), date: '2026-03-01', rate: '2' })
    const { body } = buildChange('currency', values, base)
    const added = ratesOf(values)[2]?.id
    expect(body).toEqual({
      title: 'Euro II',
      rates: [
        { id: 11, _status: 'updated', rate: '1.1' },
        { id: 12, _status: 'deleted' },
        { id: added, _status: 'new', date: '2026-03-01', rate: '2' },
      ],
    })
  })

  test('the server’s errors of a row are shown in that row [FORM-05] [FORM-09]', () => {
    const base = toForm('currency', stored)
    const values = structuredClone(base)
    ratesOf(values).push(newChild('currency_rate', 'currency'))
    const { places } = buildChange('currency', values, base)
    expect(placeInForm(places, 'rates.0.date')).toBe('rates.2.date')
    expect(placeInForm(places, 'title')).toBe('title')
  })

  test('so are errors of nested collections [FORM-09]', () => {
    const base = toForm('partner', {
      id: 1,
      active: true,
      title: 'Aurora',
      partner_partner_groups: [
        { id: 1, active: true, partner_group: { id: 1, title: 'a' }, managers: [] },
        { id: 2, active: true, partner_group: { id: 2, title: 'b' }, managers: [] },
      ],
    })
    const values = structuredClone(base)
    const groups = values.partner_partner_groups as ChildRow[]
    const managers = groups[1]?.managers as ChildRow[]
    managers.push({ ...newChild('partner_group_manager', 'partner_partner_group'), user: { id: 9, title: 'Ann' } })
    const { body, places } = buildChange('partner', values, base)
    expect(body).toEqual({
      partner_partner_groups: [
        {
          id: 2,
          _status: 'updated',
          managers: [{ id: managers[0]?.id, _status: 'new', user: 9, is_main: false, active: true }],
        },
      ],
    })
    expect(placeInForm(places, 'partner_partner_groups.0.managers.0.user')).toBe(
      'partner_partner_groups.1.managers.0.user',
    )
  })

  test('a new row sends its input, references as ids, numbers as numbers [FORM-04]', () => {
    const values = {
      ...toForm('offer', null),
      title: 'Royal',
      advertiser: { id: 4, title: 'A' },
      days: '30',
      cost: '1250.5',
    }
    expect(buildChange('offer', values, null).body).toEqual({
      title: 'Royal',
      advertiser: 4,
      days: 30,
      cost: '1250.5',
      state: 'approved',
      active: true,
    })
  })

  test('temporary ids are temp_ and 16 characters, keys of lines have 8 [FORM-09]', () => {
    expect(makeTempId()).toMatch(/^temp_[a-z0-9]{16}$/)
    expect(makeRowKey()).toMatch(/^[a-z0-9]{8}$/)
    expect(makeTempId()).not.toBe(makeTempId())
  })

  test('zeros at the end are not shown', () => {
    expect(trimDecimal('12.5000', 2)).toBe('12.50')
    expect(trimDecimal('1.00000000', 0)).toBe('1')
    expect(trimDecimal('0.92130000', 0)).toBe('0.9213')
  })

  test('lines of a collection start with the initial values of their slots', () => {
    const slots = { fields: { state: { initial: 'unapproved' }, 'postbacks.kind': { initial: 'extra' } } }
    expect(initialOf(slots)).toEqual({ state: 'unapproved' })
    expect(initialOf(slots, 'postbacks')).toEqual({ kind: 'extra' })
  })
})

describe('checks', () => {
  test('the contract’s rules apply in the form, down to rows of collections [FORM-03]', () => {
    const values: FormRow = { ...toForm('advertiser', null), title: 'A', default_domain: 'http://a.example' }
    values.countries = [{ ...newChild('advertiser_country', 'advertiser'), domain: 'https://ok.example' }]
    const issues = checkForm('advertiser', values, true)
    expect(issues.default_domain?.key).toBe('domain_invalid')
    expect(issues.default_currency?.key).toBe('required')
    expect(issues['countries.0.country']?.key).toBe('required')
    expect(Object.keys(issues)).not.toContain('countries.0.advertiser')
  })

  test('rows marked for deletion are not validated [FORM-09]', () => {
    const values = { ...toForm('currency', stored) }
    values.rates = [{ ...newChild('currency_rate', 'currency'), id: 11, _status: 'deleted' }]
    expect(checkForm('currency', values, false)).toEqual({})
  })

  test('tabs are flagged with the number of their errors [FORM-06]', () => {
    const counts = sectionsAt(entityOf('offer').form, ['title', 'cost', 'currency'])
    expect(Object.fromEntries(counts)).toEqual({ main: 1, terms: 2 })
  })
})

describe('two people, one record', () => {
  const base = toForm('currency', stored)
  const mine = structuredClone(base)
  mine.title = 'Mine'
  const [ownFirst] = ratesOf(mine)
  if (ownFirst) ownFirst.rate = '3'
  ratesOf(mine).push({ ...newChild('currency_rate', 'currency'), date: '2026-05-01', rate: '5' })
  const theirs = toForm('currency', {
    ...stored,
    title: 'Theirs',
    value: 'EUX',
    rates: [...stored.rates, { id: 13, date: '2026-04-01', rate: '4' }],
  })

  test('every differing field is listed, with who changed it [FORM-07]', () => {
    const found = findDifferences('currency', base, mine, theirs)
    expect(found.map(({ name, isConflict, proposed }) => [name, isConflict, proposed])).toEqual([
      ['title', true, 'mine'],
      ['value', false, 'theirs'],
      ['rates', true, 'both'],
    ])
  })

  test('a merge loses neither their rows nor mine [FORM-07]', () => {
    const merged = mergeRows(
      'currency',
      { base, mine, theirs },
      new Map([
        ['title', 'theirs'],
        ['rates', 'both'],
      ]),
    )
    expect([merged.title, merged.value]).toEqual(['Theirs', 'EUX'])
    const rows = ratesOf(merged)
    expect(rows.map(({ rate }) => rate)).toEqual(['3', '1.25', '4', '5'])
    const { body } = buildChange('currency', merged, theirs)
    expect(Object.keys(body)).toEqual(['rates'])
  })
})

describe('values that have parts', () => {
  const option = (id: number) => ({ id, title: `Landing ${id}` })
  const base = toForm('advertiser', { id: 1, active: true, title: 'Brand', allowed_landings: [1, 2, 3].map(option) })
  const mine = { ...structuredClone(base), allowed_landings: [1, 2, 4].map(option) }
  const theirs = { ...structuredClone(base), allowed_landings: [2, 3, 5].map(option) }

  test('if both changed it, merging both is proposed [FORM-07]', () => {
    const [found] = findDifferences('advertiser', base, mine, theirs)
    expect(found).toMatchObject({ name: 'allowed_landings', isConflict: true, proposed: 'both' })
    const merged = mergeRows('advertiser', { base, mine, theirs }, new Map([['allowed_landings', 'both']]))
    expect((merged.allowed_landings as { id: number }[]).map(({ id }) => id)).toEqual([2, 5, 4])
  })

  test('if only one of us changed it, that side is proposed [FORM-07]', () => {
    expect(findDifferences('advertiser', base, mine, base)[0]?.proposed).toBe('mine')
    expect(findDifferences('advertiser', base, base, theirs)[0]?.proposed).toBe('theirs')
  })

  test('both long texts are kept, one after the other [FORM-07]', () => {
    const note = (crm_description: string) => toForm('traffic_source', { id: 1, active: true, crm_description })
    const rows = { base: note('a'), mine: note('mine'), theirs: note('theirs') }
    const merged = mergeRows('traffic_source', rows, new Map([['crm_description', 'both']]))
    expect(merged.crm_description).toBe('theirs\nmine')
  })

  test('a collection is described by its added, changed and removed rows [FORM-07]', () => {
    const before = toForm('currency', stored)
    const after = structuredClone(before)
    const [first, second] = ratesOf(after)
    if (first) first.rate = '9'
    if (second) second._status = 'deleted'
    ratesOf(after).push(newChild('currency_rate', 'currency'))
    expect(countChanges(before.rates, after.rates)).toEqual({ added: 1, changed: 1, removed: 1 })
    expect(sidesOf({ kind: 'children', of: 'currency_rate', by: 'currency' })).toEqual(['both', 'theirs'])
  })
})

describe('numbers while they are typed', () => {
  const money = { scale: 4, isSigned: false, min: 0, max: 1_000_000 }
  const whole = { scale: 0, isSigned: false, min: 0, max: 3650 }

  test('the letter e and other characters that are not part of a number are dropped [FORM-04]', () => {
    expect(cleanNumber('1e5', whole)).toBe('15')
    expect(cleanNumber('-7', whole)).toBe('7')
    expect(cleanNumber('12.5', whole)).toBe('12')
    expect(cleanNumber('1 234,56789', money)).toBe('1234.5678')
    expect(cleanNumber('007', money)).toBe('7')
    expect(cleanNumber('.5', money)).toBe('0.5')
    expect(cleanNumber('-3', { scale: 2, isSigned: true })).toBe('-3')
  })

  test('a decimal comma is one, also behind thousands; a minus of a spreadsheet is a minus [FORM-04]', () => {
    const signed = { scale: 2, isSigned: true }
    for (const [text, number] of [
      ['-15,5', '-15.5'],
      ['\u221215,5', '-15.5'],
      ['1.234,50', '1234.50'],
      ['1,234.50', '1234.50'],
      ['-1.234.567', '-1234567'],
      ['1,5,', '1.5'],
    ] as const)
      expect(cleanNumber(text, signed), text).toBe(number)
  })

  test('pasted text is a number in the notations of spreadsheets, or is not pasted at all [FORM-04]', () => {
    for (const text of [
      '12',
      ' 1 234,56 ',
      '1\u202f234.50',
      "1'234.5",
      '-5',
      '\u22125',
      '12 %',
      '€ 3.20',
      '3,20 €',
      '1.234,50',
    ])
      expect(isNumberText(text), text).toBe(true)
    for (const text of ['abc-5e3', '5e3', 'n/a', '', '-', '12 apples', '2026-01-02', '1-2', '0x1F'])
      expect(isNumberText(text), text).toBe(false)
  })

  test('rejects a pasted number that the field would change [FORM-04]', () => {
    const signed = { scale: 2, isSigned: true }
    for (const [text, mask, why] of [
      ['1.2.3', money, 'unclear'],
      ['1.2.3', whole, 'unclear'],
      ['-7', money, 'negative'],
      ['\u22127', whole, 'negative'],
      ['12,5', whole, 'whole'],
      ['1.23456', money, 'decimals'],
      ['-7', signed, null],
      ['12.0', whole, null],
      ['1.50000', money, null],
      ['1.234.567,50', money, null],
      ['1,5,', money, null],
      ['1,234', money, 'ambiguous'],
      ['€ 1,234', money, 'ambiguous'],
      ['0,125', money, null],
      ['1,234,567', money, null],
      ['-0', money, null],
    ] as const)
      expect(findPasteLoss(text, mask), text).toBe(why)
  })

  test('thousands are separated by a space that is not stored [FORM-04]', () => {
    expect(showNumber('1234567.8')).toBe('1\u202f234\u202f567.8')
    expect(cleanNumber(showNumber('1234567.8'), money)).toBe('1234567.8')
  })

  test('a number is clamped to its bounds on blur [FORM-04]', () => {
    expect(clampNumber('9999', whole)).toBe('3650')
    expect(clampNumber('-5', { scale: 0, isSigned: true, min: 0 })).toBe('0')
    expect(clampNumber('12.', money)).toBe('12')
    expect(clampNumber('', money)).toBe('')
  })

  test('the caret stays after the typed digit [FORM-04]', () => {
    expect(countCharacters('1\u202f23')).toBe(3)
    expect(caretAt('1\u202f234', 2)).toBe(3)
    expect(caretAt('1\u202f234', 4)).toBe(5)
    expect(caretAt('1\u202f234', 0)).toBe(0)
  })
})
