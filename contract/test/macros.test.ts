import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bindTemplate,
  buildAdvertiserLink,
  buildAdvertiserTemplate,
  buildPostbackUrl,
  buildTrackingLink,
  fillTemplate,
  findUnknownMacros,
  MACRO_ALIASES,
  MACROS,
  parseTemplate,
  writeTemplate,
} from '../macros.ts'

const fill = (template: string, values: Parameters<typeof fillTemplate>[1]) =>
  fillTemplate(parseTemplate(template), values)

test('unknown macros and stray braces are named once each', () => {
  expect(findUnknownMacros('https://a.example/?x={click_id}&y={sum}')).toEqual([])
  expect(findUnknownMacros('https://a.example/?x={klickid}&y={klickid}&z={}')).toEqual(['klickid', ''])
  expect(findUnknownMacros('https://a.example/?x={click_id}}&y={')).toEqual(['}', '{'])
})

test('values are URL-encoded, absent ones are empty [TRK-11]', () => {
  expect(fill('https://a.example/?a={sub_id}&b={sub2}&c={click_id}', { sub_id: 'a b&c=d/é', click_id: 'x' })).toBe(
    'https://a.example/?a=a%20b%26c%3Dd%2F%C3%A9&b=&c=x',
  )
})

test('whatever the template and the values, the result is printable ASCII and never throws', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  fc.assert(
    fc.property(text, text, text, (head, tail, value) => {
      const filled = fill(`${head}{sub_id}${tail}`, { sub_id: value })
      expect(filled).toMatch(/^[\x21-\x7e]*$/)
    }),
  )
})

test('binding some macros first and the rest later gives the same as filling at once', () => {
  const template = fc
    .array(
      fc.oneof(
        fc.constantFrom(...MACROS).map((name) => `{${name}}`),
        fc.constantFrom('a', '&b=', '/', '{no}'),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(template, fc.string(), fc.string(), (text, site, click) => {
      const parsed = parseTemplate(text)
      const bound = bindTemplate(parsed, { site_id: site })
      expect(fillTemplate(bound, { click_id: click })).toBe(fillTemplate(parsed, { site_id: site, click_id: click }))
      expect(writeTemplate(parsed)).toBe(text)
    }),
  )
})

test('the tracking link uses the domain of the country, else the tracker address', () => {
  const uuid = '0b0e0b0e-0000-4000-8000-000000000001'
  expect(buildTrackingLink({ uuid, trackerUrl: 'http://localhost:8080' })).toBe(`http://localhost:8080/c/${uuid}`)
  expect(buildTrackingLink({ uuid, trackerUrl: 'http://x', domain: 'go.example.com' })).toBe(
    `https://go.example.com/c/${uuid}`,
  )
  expect(buildTrackingLink({ uuid, trackerUrl: 'http://x', domain: 'https://go.example.com/' })).toBe(
    `https://go.example.com/c/${uuid}`,
  )
})

test('the advertiser template joins domain and landing, in front of a fragment and behind a query', () => {
  const tail = 'click_id={click_id}&site_id={site_id}&sub_id={sub_id}&promocode={promocode}&media_id={media_id}'
  const build = (landing?: string) => buildAdvertiserTemplate({ domain: 'https://a.example/', landing })
  expect(build()).toBe(`https://a.example?${tail}`)
  expect(build('welcome')).toBe(`https://a.example/welcome?${tail}`)
  expect(build('/x?lp=3')).toBe(`https://a.example/x?lp=3&${tail}`)
  expect(build('?lp=3#top')).toBe(`https://a.example?lp=3&${tail}#top`)
  expect(build('https://lp.example/9')).toBe(`https://lp.example/9?${tail}`)
  expect(buildAdvertiserTemplate({ domain: 'https://a.example', override: 'https://b.example/{click_id}' })).toBe(
    'https://b.example/{click_id}',
  )
})

test('the advertiser link for copying contains the fixed values', () => {
  expect(
    buildAdvertiserLink(
      { domain: 'https://a.example', landing: 'w' },
      { siteId: 's-1', promocode: 'UP 5', mediaId: null },
    ),
  ).toBe('https://a.example/w?click_id={click_id}&site_id=s-1&sub_id={sub_id}&promocode=UP%205&media_id=')
})

test('the postback URL has every parameter', () => {
  expect(buildPostbackUrl({ uuid: 'u', trackerUrl: 'http://t' })).toBe(
    'http://t/postback/u?click_id={click_id}&event={event}&player_id={player_id}&sum={sum}&currency={currency}&country={country}&promocode={promocode}&date={date}&transaction_id={transaction_id}',
  )
})

test('macro names of other systems are accepted; an unknown name is reported [TRK-11]', () => {
  const pasted = 'https://p.example/?c={clickid}&t={aff_sub}&g={goal}&a={amount}&s={sub1}'
  expect(findUnknownMacros(`${pasted}&x={whatever}&y={toString}`)).toEqual(['whatever', 'toString'])
  expect(
    fillTemplate(parseTemplate(pasted), {
      click_id: 'a b',
      partner_click_id: 't',
      event: 'reg',
      sum: '5',
      sub_id: 's',
    }),
  ).toBe('https://p.example/?c=a%20b&t=t&g=reg&a=5&s=s')
  for (const [alias, macro] of Object.entries(MACRO_ALIASES)) {
    expect(fillTemplate(parseTemplate(`{${alias}}`), { [macro]: alias })).toBe(alias)
  }
})

test('a macro without a value gets its default, also after other macros were bound [TRK-11]', () => {
  const text = 'https://p.example/?s={sub_id|default:no ne}&p={promocode|default:x}&c={click_id}'
  expect(findUnknownMacros(text)).toEqual([])
  const template = parseTemplate(text)
  expect(fillTemplate(template, { promocode: '', click_id: '1' })).toBe('https://p.example/?s=no%20ne&p=x&c=1')
  expect(fillTemplate(template, { sub_id: 'y', promocode: 'z', click_id: '1' })).toBe('https://p.example/?s=y&p=z&c=1')
  const bound = bindTemplate(template, { promocode: null })
  expect(writeTemplate(bound)).toBe('https://p.example/?s={sub_id|default:no ne}&p=x&c={click_id}')
  expect(fillTemplate(parseTemplate(writeTemplate(bound)), { click_id: '2' })).toBe(
    'https://p.example/?s=no%20ne&p=x&c=2',
  )
  expect(findUnknownMacros('{sub_id|upper}')).toEqual(['sub_id|upper'])
})
