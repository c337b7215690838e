// Writes the planned directory into an empty record in one transaction, and returns its ids.

import type { PoolClient } from 'pg'
import { CURRENCIES, MARKETS } from './geography.ts'
import { ADVERTISERS, LANDINGS, OFFER_PARTNER_TAGS, PRODUCTS, TRAFFIC_SOURCES } from './names.ts'
import { AGENCY, CPA_AND_SHARE, type Network, REVENUE_SHARE } from './network.ts'
import { makeRandom } from './random.ts'
import { at, insert, uuidFrom } from './rows.ts'
import type { NetworkIds, NetworkSetting } from './setting.ts'
import { writePartners, writePartnerUser, writePeople } from './write-partners.ts'

export async function writeNetwork(client: PoolClient, setting: NetworkSetting): Promise<NetworkIds> {
  await client.query('begin')
  try {
    await client.query(`select set_config('tributary.cause', 'demo', true)`)
    const directory = await writeDirectory(client, setting)
    const people = await writePeople(client, setting)
    const partners = await writePartners(client, setting, directory.trafficSources, directory.advertisers, people)
    const offers = await writeOffers(client, setting, directory)
    const offerPartners = await writeOfferPartners(client, setting, { ...directory, ...partners, offers })
    await writePartnerUser(client, setting, partners.partners)
    await client.query('commit')
    return { ...directory, ...partners, offers, offerPartners }
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

type Directory = Pick<NetworkIds, 'currencies' | 'countries' | 'advertisers' | 'landings' | 'trafficSources'> & {
  readonly products: readonly number[]
  readonly models: readonly number[]
  readonly advertiserCountries: ReadonlyMap<string, number>
}

/** Who issues statements: their files name it. */
const ISSUER = 'Tributary Network Ltd., 4 Harbour Street, Limassol, Cyprus'

async function writeDirectory(
  client: PoolClient,
  { seed, firstDay, dayAt, days, network }: NetworkSetting,
): Promise<Directory> {
  const random = makeRandom(seed).fork('directory')
  const currencyIds = await insert(
    client,
    'currency',
    CURRENCIES.map(({ title, value }) => ({ title, value })),
  )
  const currencies = new Map(CURRENCIES.map(({ value }, i) => [value, at(currencyIds, i)]))
  await client.query('update setting set report_currency_id = $1', [currencies.get('EUR')])
  // A rate a week, wandering a little, as real ones do.
  const rates = CURRENCIES.filter(({ value }) => value !== 'EUR').flatMap(({ value, rate }) => {
    let current = rate
    return Array.from({ length: Math.floor((days - 1) / 7) + 1 }, (_, week) => {
      current *= 1 + 0.006 * random.normal(0, 1)
      return {
        currency_id: currencies.get(value),
        date: week === 0 ? firstDay : dayAt(week * 7),
        rate: current.toFixed(8),
      }
    })
  })
  await insert(client, 'currency_rate', rates)
  const countries = await insert(
    client,
    'country',
    MARKETS.map(({ title, code, currency }) => ({ title, code, currency_id: currencies.get(currency) })),
  )
  const mappings = MARKETS.flatMap(({ names }, i) => names.map((title) => ({ country_id: at(countries, i), title })))
  await insert(client, 'country_mapping', mappings)
  const products = await insert(
    client,
    'product',
    PRODUCTS.map((title) => ({ title })),
  )
  const trafficSources = await insert(
    client,
    'traffic_source',
    TRAFFIC_SOURCES.map((title) => ({ title })),
  )
  const landings = await insert(
    client,
    'landing',
    LANDINGS.map(({ title, value }) => ({ title, value })),
  )
  const advertisers = await insert(
    client,
    'advertiser',
    ADVERTISERS.map(({ title, host }, i) => ({
      title,
      default_domain: `https://${host}.example`,
      media_id: `M${100 + i}`,
      default_currency_id: currencies.get('EUR'),
      default_cost: '120',
      default_baseline: '20',
    })),
  )
  await insert(
    client,
    'advertiser_landing',
    advertisers.flatMap((id) => landings.map((landing_id) => ({ advertiser_id: id, landing_id }))),
  )
  await insert(
    client,
    'default_landing',
    advertisers.map((id) => ({ advertiser_id: id, landing_id: at(landings, 0), country_id: null })),
  )
  const advertiserCountries = await writeAdvertiserCountries(client, network, advertisers, countries)
  const { rows } = await client.query<{ id: number }>('select id from payment_model order by id')
  const models = rows.map(({ id }) => id)
  await client.query(`update payment_model set cost = 25 where type = 'CPA_RS'`)
  await client.query('update setting set agency_spend_percentage = 10, statement_issuer = $1', [ISSUER])
  return { currencies, countries, products, trafficSources, landings, advertisers, advertiserCountries, models }
}

async function writeAdvertiserCountries(
  client: PoolClient,
  network: Network,
  advertisers: readonly number[],
  countries: readonly number[],
): Promise<Map<string, number>> {
  const places = [...new Set(network.offers.map(({ advertiser, market }) => `${advertiser}/${market}`))]
  const rows = places.map((place) => {
    const [advertiser = 0, market = 0] = place.split('/').map(Number)
    const own = market % 3 === 0
    return {
      advertiser_id: at(advertisers, advertiser),
      country_id: at(countries, market),
      domain: own
        ? `https://${at(MARKETS, market).code.toLowerCase()}.${at(ADVERTISERS, advertiser).host}.example`
        : null,
      media_id: `M${100 + advertiser}-${at(MARKETS, market).code}`,
    }
  })
  const ids = await insert(client, 'advertiser_country', rows)
  return new Map(places.map((place, i) => [place, at(ids, i)]))
}

function writeOffers(client: PoolClient, { network }: NetworkSetting, directory: Directory): Promise<number[]> {
  return insert(
    client,
    'offer',
    network.offers.map((offer) => ({
      title: offer.title,
      advertiser_id: at(directory.advertisers, offer.advertiser),
      advertiser_country_id: directory.advertiserCountries.get(`${offer.advertiser}/${offer.market}`),
      payment_model_id: at(directory.models, offer.paymentModel),
      currency_id: directory.currencies.get(offer.currency),
      ...(offer.paymentModel === REVENUE_SHARE
        ? { cost: null, rs_share: String(offer.cost) }
        : { cost: String(offer.cost), rs_share: null }),
      days: offer.days,
      baseline: String(offer.baseline),
      product_id: at(directory.products, offer.product),
      state: offer.approved ? 'approved' : 'unapproved',
    })),
  )
}

/** Some partner offers have negotiated a higher share of income, or percentage of spend, from the middle of the past on. */
async function writeOwnPercentages(
  client: PoolClient,
  { network, dayAt, days }: Pick<NetworkSetting, 'network' | 'dayAt' | 'days'>,
  offerPartners: readonly number[],
): Promise<void> {
  const rows = (model: number, value: (cost: number) => number) =>
    network.offerPartners.flatMap(({ offer: index }, i) => {
      const offer = at(network.offers, index)
      if (offer.paymentModel !== model || i % 5 !== 0) return []
      const date_from = dayAt(Math.floor(days / 2))
      return [{ offer_partner_id: at(offerPartners, i), value: String(value(offer.cost)), date_from, date_to: null }]
    })
  await insert(
    client,
    'offer_partner_rs_share_history',
    rows(REVENUE_SHARE, (share) => share + 5),
  )
  await insert(
    client,
    'offer_partner_agency_percentage_history',
    rows(AGENCY, () => 12.5),
  )
}

async function writeOfferPartners(
  client: PoolClient,
  { network, firstDay, dayAt, days, seed }: NetworkSetting,
  ids: Directory & Pick<NetworkIds, 'partners' | 'streams' | 'offers'>,
): Promise<number[]> {
  const random = makeRandom(seed).fork('link details')
  const offerPartners = await insert(
    client,
    'offer_partner',
    network.offerPartners.map((offerPartner) => ({
      offer_id: at(ids.offers, offerPartner.offer),
      partner_id: at(ids.partners, offerPartner.partner),
      stream_id: at(ids.streams, offerPartner.stream),
      traffic_source_id: at(ids.trafficSources, at(network.streams, offerPartner.stream).trafficSource),
      site_id: offerPartner.siteId,
      sub_id: offerPartner.subId,
      uuid: uuidFrom(random),
      promo_codes: offerPartner.promoCode ? [offerPartner.promoCode] : [],
      currency_id: ids.currencies.get('EUR'),
      state: offerPartner.state === 'unapproved' ? 'unapproved' : 'approved',
      active: offerPartner.state !== 'inactive',
      country_requirement: offerPartner.countryRequirement,
      bet_requirement: offerPartner.betRequirement,
      max_days_from_registration: offerPartner.maxDays,
    })),
  )
  await insert(
    client,
    'offer_partner_landing',
    network.offerPartners.map(({ landing }, i) => ({
      offer_partner_id: at(offerPartners, i),
      landing_id: at(ids.landings, landing),
    })),
  )
  await insert(
    client,
    'offer_partner_postback',
    offerPartners.map((id) => ({ offer_partner_id: id, kind: 'main', uuid: uuidFrom(random) })),
  )
  const costs = network.offerPartners.flatMap((offerPartner, i) => {
    const offer = at(network.offers, offerPartner.offer)
    if (offer.paymentModel === AGENCY || offer.paymentModel === REVENUE_SHARE) return []
    const first = {
      offer_partner_id: at(offerPartners, i),
      value: String(offer.cost),
      date_from: firstDay,
      date_to: null as string | null,
    }
    if (!offerPartner.costRise) return [first]
    const { day, cost } = offerPartner.costRise
    return [
      { ...first, date_to: dayAt(day - 1) },
      { ...first, value: String(cost), date_from: dayAt(day) },
    ]
  })
  await insert(client, 'offer_partner_cost_history', costs)
  await writeOwnPercentages(client, { network, dayAt, days }, offerPartners)
  const periods = network.offerPartners.flatMap((offerPartner, i) =>
    at(network.offers, offerPartner.offer).paymentModel === CPA_AND_SHARE
      ? [
          {
            offer_partner_id: at(offerPartners, i),
            value: at(network.offers, offerPartner.offer).days,
            date_from: firstDay,
          },
        ]
      : [],
  )
  await insert(client, 'offer_partner_bl_period_history', periods)
  const tags = await insert(
    client,
    'offer_partner_tag',
    OFFER_PARTNER_TAGS.map((title) => ({ title })),
  )
  const tagged = offerPartners.flatMap((id, i) =>
    i % 7 === 0 ? [{ offer_partner_id: id, offer_partner_tag_id: at(tags, (i / 7) % tags.length) }] : [],
  )
  await insert(client, 'offer_partner_offer_partner_tag', tagged)
  return offerPartners
}
