// Computations of a partner offer's page: the tracking link with parameters, macros in a template, histories on one time line; and
// the advertiser links of an advertiser.
import { describe, expect, test } from 'vitest'
import { type ChildRow, newChild, toForm } from '../src/entities/form/form-row.ts'
import { fillGaps, timelineOf } from '../src/entities/terms/term-ranges.ts'
import { addMacro, buildLink, parametersOf } from '../src/entities/testers/built-link.ts'
import { targetsOf } from '../src/screens/advertiser/advertiser-form.tsx'

const LINK = 'https://go.example/c/4b1'

describe('the tracking link', () => {
  test('is unchanged without parameters, and carries those that are filled in [ENT-13]', () => {
    expect(buildLink(LINK, { landing: null, parameters: { sub2: '  ' } })).toBe(LINK)
    expect(buildLink(LINK, { landing: '7', parameters: { sub2: 'b', click_id: '{clickid}', sub_id: 'a&b ы' } })).toBe(
      `${LINK}?click_id={clickid}&sub_id=a%26b%20%D1%8B&sub2=b&landing=7`,
    )
    expect(buildLink(`${LINK}?x=1`, { landing: null, parameters: { promocode: 'P' } })).toBe(`${LINK}?x=1&promocode=P`)
  })

  test('is tested with the same parameters [TRK-11]', () => {
    expect(parametersOf({ landing: '7', parameters: { sub_id: 'a', sub2: '' } })).toEqual({ sub_id: 'a', landing: '7' })
  })

  test('a missing macro is added to the template before its fragment [ENT-13]', () => {
    expect(addMacro('https://brand.example', 'geo')).toBe('https://brand.example?geo={geo}')
    expect(addMacro('https://brand.example/?a=1#top', 'sub2')).toBe('https://brand.example/?a=1&sub2={sub2}#top')
  })
})

describe('histories as one time line', () => {
  const row = (value: string, date_from: string, date_to: string | null): ChildRow => ({
    ...newChild('offer_partner_cost_history', 'offer_partner'),
    value,
    date_from,
    date_to,
  })

  test('ranges are in order on one scale; the current one is marked, an open one continues to the end [ENT-14]', () => {
    const found = timelineOf(
      { cost_history: [row('60', '2026-06-01', null), row('50', '2026-01-01', '2026-05-31')], bl_deposit_history: [] },
      '2026-07-01',
    )
    const [first, second] = found?.rows[0]?.ranges ?? []
    expect([first?.row.value, first?.isNow, second?.row.value, second?.isNow]).toEqual(['50', false, '60', true])
    expect(first?.left).toBe(0)
    expect((first?.left ?? 0) + (first?.width ?? 0)).toBeCloseTo(second?.left ?? 0)
    expect((second?.left ?? 0) + (second?.width ?? 0)).toBeCloseTo(100)
    expect(found?.today).toBeGreaterThan(second?.left ?? 100)
    expect(found?.today).toBeLessThan(100)
    expect(found?.marks.map(({ day }) => day.slice(8))).toEqual(found?.marks.map(() => '01'))
    expect(found?.marks.length).toBeLessThanOrEqual(9)
    expect(found?.rows[1]?.ranges).toEqual([])
  })

  test('a range since the beginning starts at the left and does not stretch the scale [MON-04]', () => {
    const found = timelineOf(
      { cost_history: [row('50', '1970-01-02', '2026-06-20'), row('60', '2026-06-21', '2026-06-30')] },
      '2026-07-01',
    )
    const [first, second] = found?.rows[0]?.ranges ?? []
    expect([first?.from, first?.to, first?.left]).toEqual([null, '2026-06-20', 0])
    expect((first?.left ?? 0) + (first?.width ?? 0)).toBeCloseTo(second?.left ?? 0)
    expect(second?.width).toBeGreaterThan(20)
  })

  test('deleted and incomplete ranges are not drawn; without ranges there is no time line [ENT-14]', () => {
    const gone = { ...row('1', '2026-01-01', null), _status: 'deleted' as const }
    expect(timelineOf({ cost_history: [gone, row('2', '', null)] }, '2026-07-01')).toBeNull()
  })

  test('on days without a range the own value of the offer or partner offer is drawn [MON-04] [ENT-14]', () => {
    const days = (ranges: readonly ChildRow[]) =>
      fillGaps(ranges, { value: '10' }).map(({ value, date_from, date_to }) => [value, date_from, date_to])
    expect(days([])).toEqual([['10', '1970-01-02', null]])
    expect(days([row('60', '2026-06-01', '2026-06-30'), row('50', '2026-03-01', '2026-05-31')])).toEqual([
      ['60', '2026-06-01', '2026-06-30'],
      ['50', '2026-03-01', '2026-05-31'],
      ['10', '1970-01-02', '2026-02-28'],
      ['10', '2026-07-01', null],
    ])
    expect(days([row('60', '1970-01-02', null)])).toHaveLength(1)
    expect(timelineOf({ cost_history: fillGaps([], { value: '10' }) }, '2026-07-01')?.rows[0]?.ranges).toMatchObject([
      { from: null, to: null, left: 0, isNow: true },
    ])
  })

  test('many years have few marks [ENT-14]', () => {
    const found = timelineOf({ cost_history: [row('1', '2011-03-05', null)] }, '2026-07-01')
    expect(found?.marks.length).toBeGreaterThan(2)
    expect(found?.marks.length).toBeLessThanOrEqual(9)
  })
})

test('an advertiser link uses the country’s own domain and landing, or the default ones [ENT-08]', () => {
  const [de, at] = [
    { id: 1, title: 'Germany' },
    { id: 2, title: 'Austria' },
  ]
  const presence = (country: object, domain: string, media_id: string) => ({
    ...newChild('advertiser_country', 'advertiser'),
    country,
    domain,
    media_id,
  })
  const landing = (country: object | null, value: string) => ({
    ...newChild('default_landing', 'advertiser'),
    country,
    landing: { id: 9, title: value, value },
  })
  const found = targetsOf({
    ...toForm('advertiser', null),
    default_domain: 'https://brand.example',
    countries: [presence(de, 'https://de.brand.example', 'm1'), presence(at, '', '')],
    default_landings: [landing(null, 'start'), landing(de, '/willkommen')],
  })
  expect(
    found.map(({ country, url, hasOwnDomain, mediaId }) => [country, url.split('?')[0], hasOwnDomain, mediaId]),
  ).toEqual([
    ['Germany', 'https://de.brand.example/willkommen', true, 'm1'],
    ['Austria', 'https://brand.example/start', false, null],
  ])
})
