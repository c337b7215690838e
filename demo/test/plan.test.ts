// The demo network is believable and the same every time: its plan has the sizes promised, skew, a weekly rhythm and the bad actors that one should find.
import { describe, expect, test } from 'vitest'
import { makeCalendar } from '../calendar.ts'
import { CURRENCIES, MARKETS } from '../geography.ts'
import { isAgency, makeSpendRows, SPEND_COLUMNS } from '../history-money.ts'
import { ADVERTISERS, TRAFFIC_SOURCES } from '../names.ts'
import { FULL_SIZE, planNetwork } from '../network.ts'
import { makeRandom } from '../random.ts'
import { dayWeight, momentOfDay } from '../rhythm.ts'
import type { NetworkIds } from '../setting.ts'
import { gatherCrowd } from '../visitors.ts'
import { planTraffic } from '../visits.ts'

const network = planNetwork(7, FULL_SIZE, 365)

describe('the plan of the demo network', () => {
  test('has the promised sizes [SYS-01]', () => {
    expect(ADVERTISERS).toHaveLength(6)
    expect(network.partners).toHaveLength(40)
    expect(network.offers).toHaveLength(300)
    expect(TRAFFIC_SOURCES).toHaveLength(25)
    expect(MARKETS).toHaveLength(60)
    expect(new Set(MARKETS.map(({ code }) => code)).size).toBe(60)
    expect(network.offerPartners.length).toBeGreaterThan(700)
    const known = new Set(CURRENCIES.map(({ value }) => value))
    expect(MARKETS.filter(({ currency }) => !known.has(currency))).toEqual([])
  })

  test('is the same for the same seed, and another for another [SYS-01]', () => {
    expect(planNetwork(7, FULL_SIZE, 365)).toEqual(network)
    expect(planNetwork(8, FULL_SIZE, 365)).not.toEqual(network)
  })

  test('keeps the rules of partner offers: one offer of a country per stream, unique site ids [ENT-16]', () => {
    const places = network.offerPartners.map(({ stream, offer }) => `${stream}/${network.offers[offer]?.market}`)
    expect(new Set(places).size).toBe(places.length)
    expect(new Set(network.offerPartners.map(({ partner, siteId }) => `${partner}/${siteId}`)).size).toBe(
      network.offerPartners.length,
    )
    expect(network.offerPartners.every(({ stream, partner }) => network.streams[stream]?.partner === partner)).toBe(
      true,
    )
  })

  test('holds one fraudulent partner and one whose server fails', () => {
    expect(network.partners.filter(({ fraudulent }) => fraudulent)).toHaveLength(1)
    expect(network.partners.filter(({ postbacks }) => postbacks === 'failing')).toHaveLength(1)
  })
})

describe('its traffic', () => {
  const crowd = gatherCrowd(7, (ip) => MARKETS[Number(ip.split('.')[1]) % MARKETS.length]?.code ?? null)
  const visits = planTraffic(network, crowd).visits(makeRandom(3), 364, 40_000)

  test('leaves two partner offers with much traffic silent for two days', () => {
    const ended = new Set(network.offerPartners.flatMap(({ endsOn }, index) => (endsOn === null ? [] : index)))
    expect(ended.size).toBe(2)
    const ofDay = (day: number) =>
      planTraffic(network, crowd)
        .visits(makeRandom(day), day, 1800)
        .filter(({ offerPartner }) => ended.has(offerPartner))
    for (let day = 355; day < 363; day++) expect([day, ofDay(day).length >= 10]).toEqual([day, true])
    expect([ofDay(363), ofDay(364), ofDay(Number.MAX_SAFE_INTEGER)]).toEqual([[], [], []])
  })

  test('is skewed: a fifth of the partners brings most of it', () => {
    const counts = network.partners
      .map((_, i) => visits.filter(({ offerPartner }) => network.offerPartners[offerPartner]?.partner === i).length)
      .sort((a, b) => b - a)
    const most = counts.slice(0, 8).reduce((sum, count) => sum + count, 0)
    expect(most / visits.length).toBeGreaterThan(0.5)
  })

  test('has duplicates, bots, registrations, late first deposits and a fraud that brings no money', () => {
    const fraud = network.partners.findIndex(({ fraudulent }) => fraudulent)
    const isFraud = ({ offerPartner }: { offerPartner: number }) =>
      network.offerPartners[offerPartner]?.partner === fraud
    const playersOf = (list: typeof visits) => list.flatMap(({ player }) => (player ? [player] : []))
    const paying = (list: typeof visits) =>
      playersOf(list).filter(({ acts }) => acts.some(({ type }) => type === 'dep')).length
    const honest = visits.filter((visit) => !isFraud(visit))
    const dishonest = visits.filter(isFraud)
    expect(visits.some(({ moments }) => moments.length > 1)).toBe(true)
    expect(visits.some(({ visitor }) => /bot/i.test(visitor.userAgent))).toBe(true)
    expect(paying(honest) / playersOf(honest).length).toBeGreaterThan(0.3)
    expect(paying(dishonest) / Math.max(1, playersOf(dishonest).length)).toBeLessThan(0.2)
    const delays = playersOf(honest).flatMap(({ acts }) =>
      acts
        .filter(({ type }) => type === 'dep')
        .slice(0, 1)
        .map(({ after }) => after),
    )
    expect(delays.some((after) => after > 5 * 86_400_000)).toBe(true)
  })

  test('has a weekly rhythm and busy evenings', () => {
    expect(dayWeight(100, 365, '2026-11-21')).toBeGreaterThan(dayWeight(100, 365, '2026-11-24') * 1.2)
    const random = makeRandom(1)
    const hours = Array.from({ length: 5000 }, () => Math.floor(momentOfDay(random.next(), random.next()) / 3_600_000))
    const at = (hour: number) => hours.filter((h) => h === hour).length
    expect(at(20)).toBeGreaterThan(at(4) * 3)
    expect(Math.max(...hours)).toBeLessThan(24)
  })
})

test('claims of its last days are made by now [MON-06]', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  const idsOf = (rows: readonly unknown[]) => rows.map((_, index) => index + 1)
  const ids: NetworkIds = {
    currencies: new Map([['EUR', 1]]),
    countries: idsOf(MARKETS),
    advertisers: idsOf(ADVERTISERS),
    offers: idsOf(network.offers),
    partners: idsOf(network.partners),
    streams: idsOf(network.streams),
    offerPartners: idsOf(network.offerPartners),
    landings: [],
    trafficSources: idsOf(TRAFFIC_SOURCES),
  }
  const agency = network.offerPartners.flatMap((_, offerPartner) =>
    isAgency(network, offerPartner) ? [362, 363, 364].map((day) => ({ day, offerPartner, clicks: 20 })) : [],
  )
  const rows = makeSpendRows(network, ids, agency, makeCalendar(365, 'Europe/Kyiv', now), makeRandom(1))
  const claimed = rows.flatMap((row) => row[SPEND_COLUMNS.indexOf('claim_at')] ?? []).map(String)
  expect(claimed.some((at) => at.startsWith('2026-11-20'))).toBe(true)
  expect(claimed.filter((at) => Date.parse(at) > now)).toEqual([])
})

test('its calendar ends today and knows the days of a change of clocks', () => {
  const now = Date.parse('2026-11-20T12:00:00Z')
  const calendar = makeCalendar(365, 'Europe/Kyiv', now)
  expect(calendar.first).toBe('2025-11-21')
  expect(calendar.day(364)).toBe('2026-11-20')
  expect(calendar.find(now)).toBe(364)
  expect(calendar.day(calendar.find(Date.parse('2026-03-28T22:30:00Z')))).toBe('2026-03-29')
  expect(calendar.day(calendar.find(Date.parse('2026-03-29T21:30:00Z')))).toBe('2026-03-30')
})
