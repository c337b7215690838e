// The demo's visitors: addresses that the country database places in a market, and common user agents, including bots.

import { MARKETS } from './geography.ts'
import { makeRandom, type Random, weightedPicker } from './random.ts'

export interface Visitor {
  readonly ip: string
  readonly userAgent: string
  readonly language: string
}

interface Agent {
  readonly text: string
  readonly weight: number
}

const AGENTS: readonly Agent[] = [
  {
    weight: 26,
    text: 'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/14{n}.0.0.0 Mobile Safari/537.36',
  },
  {
    weight: 22,
    text: 'Mozilla/5.0 (Linux; Android 14; SM-S92{n}B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36',
  },
  {
    weight: 20,
    text: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_{n} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  },
  {
    weight: 14,
    text: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/14{n}.0.0.0 Safari/537.36',
  },
  {
    weight: 6,
    text: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.{n} Safari/605.1.15',
  },
  { weight: 6, text: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:14{n}.0) Gecko/20100101 Firefox/14{n}.0' },
  {
    weight: 6,
    text: 'Mozilla/5.0 (Linux; Android 13; 2201117TG) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/12{n}.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A]',
  },
]

const BOTS: readonly string[] = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'python-requests/2.32.3',
]

/** User agents are a fixed set of texts, because every look-up parses a text that is new. */
const AGENT_TEXTS = AGENTS.map(({ text, weight }) => ({
  texts: Array.from({ length: 6 }, (_, n) => text.replaceAll('{n}', String(n))),
  weight,
}))
const pickAgent = weightedPicker(AGENT_TEXTS, ({ weight }) => weight)

export interface Crowd {
  /** A visitor of the market; a few have addresses of other countries (travellers, VPNs). */
  person(random: Random, market: number): Visitor
  bot(random: Random): Visitor
  /** One of the few machines from which a fraudulent partner clicks. */
  farm(random: Random, market: number): Visitor
}

const SAMPLES = 400_000
/** Networks of a market, and people in each: enough for a crowd, few enough that they come back. */
const NETWORKS = 100
const PEOPLE = 80

/** Draws public addresses until every market has some; `countryOf` is the product's own look-up. */
export function gatherCrowd(seed: number, countryOf: (ip: string) => string | null): Crowd {
  const random = makeRandom(seed).fork('addresses')
  const pools = new Map<string, string[]>(MARKETS.map(({ code }) => [code, []]))
  const anywhere: string[] = []
  let missing = pools.size
  for (let i = 0; i < SAMPLES && missing > 0; i++) {
    const ip = `${random.between(1, 223)}.${random.below(256)}.${random.below(256)}.${random.between(1, 254)}`
    const pool = pools.get(countryOf(ip) ?? '')
    if (!pool) continue
    if (pool.length < NETWORKS && pool.push(ip) === NETWORKS) missing--
    if (anywhere.length < NETWORKS) anywhere.push(ip)
  }
  const drawAgent = (r: Random) => r.pick(pickAgent(r).texts)
  /** Varies the last number: a pool of networks makes a whole population. */
  const drawAddress = (r: Random, market: number) => {
    const pool = pools.get(MARKETS[market]?.code ?? '') ?? []
    const base = r.pick(pool.length > 0 && !r.chance(0.04) ? pool : anywhere)
    return `${base.slice(0, base.lastIndexOf('.'))}.${r.between(1, PEOPLE)}`
  }
  const languageOf = (market: number) => MARKETS[market]?.language ?? 'en'
  return {
    person: (r, market) => ({ ip: drawAddress(r, market), userAgent: drawAgent(r), language: languageOf(market) }),
    bot: (r) => ({ ip: r.pick(anywhere), userAgent: r.pick(BOTS), language: 'en' }),
    farm: (r, market) => ({
      ip: anywhere[r.below(24)] ?? '203.0.113.7',
      userAgent: AGENT_TEXTS[r.below(3)]?.texts[r.below(3)] ?? '',
      language: languageOf(market),
    }),
  }
}
