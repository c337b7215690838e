// Makes an answer of the general report of any size, for measuring the screen without a server. Its numbers are consistent.
import { LEVELS } from '@tributary/contract/reports/choices'
import type { GeneralReportAnswer, GeneralReportInput, Metrics, ReportRow } from '@tributary/contract/reports/general'
import { METRIC_NAMES } from '@tributary/contract/reports/traffic'

const NAMES: readonly (readonly string[])[] = [
  ['Volta Casino', 'Betwell Sports', 'Lucky Harbour', 'Nordspin', 'Aurum Club', 'Kingsway Poker', 'Fortuna Arena'],
  ['Google Ads', 'Facebook', 'TikTok', 'SEO', 'Telegram channels', 'Push networks', 'Email newsletters of partners'],
  ['Ukraine', 'Poland', 'Germany', 'Brazil', 'Kazakhstan', 'Canada', '<not selected>'],
  ['Mediastorm', 'Leadwave', 'Traffichaus', 'Blue Lagoon Media', 'Adpoint', 'Clickworks', 'Growthlab'],
]

/** A seeded random source, so that all runs use the same numbers. */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

interface Facts {
  clicks: number
  unique: number
  registrations: number
  first: number
  deposits: number
  amount: number
  firstDay: number
  firstAmount: number
  bets: number
  bettors: number
  income: number
  spend: number
}

const money = (value: number) => Math.round(value * 100) / 100
const ratio = (top: number, bottom: number, times = 1) => (bottom === 0 ? null : money((top / bottom) * times))

function makeFacts(random: () => number, size: number): Facts {
  const clicks = Math.round(size * (0.4 + random()))
  const registrations = Math.round(clicks * (0.03 + random() * 0.08))
  const first = Math.round(registrations * (0.15 + random() * 0.3))
  const deposits = Math.round(first * (1.5 + random() * 3))
  const amount = deposits * (18 + random() * 60)
  return {
    clicks,
    unique: Math.round(clicks * 0.86),
    registrations,
    first,
    deposits,
    amount,
    firstDay: amount * 0.42,
    firstAmount: amount * 0.31,
    bets: amount * (2 + random() * 3),
    bettors: Math.round(first * 1.4),
    income: amount * (0.2 + random() * 0.25),
    spend: first * (22 + random() * 60),
  }
}

function add(sum: Facts, facts: Facts): Facts {
  return Object.fromEntries(
    Object.entries(sum).map(([key, value]) => [key, value + facts[key as keyof Facts]]),
  ) as unknown as Facts
}

const NOTHING: Facts = makeFacts(() => 0, 0)

function toMetrics(facts: Facts, hasSecond: boolean): Metrics {
  const one: Record<string, number | null> = {
    cc: facts.clicks,
    uc: facts.unique,
    click_reg: ratio(facts.registrations, facts.unique, 100),
    cr: facts.registrations,
    nd: facts.first,
    reg_dep: ratio(facts.first, facts.registrations, 100),
    deposits: facts.deposits,
    deposits_amount: money(facts.amount),
    first_day_amount: money(facts.firstDay),
    first_amount: money(facts.firstAmount),
    bets: money(facts.bets),
    avg_bet: ratio(facts.bets, facts.bettors),
    avg_check: ratio(facts.amount, facts.deposits),
    avg_new_check: ratio(facts.firstAmount, facts.first),
    income: money(facts.income),
    s: money(facts.spend),
    profit: money(facts.income - facts.spend),
    cfd: ratio(facts.spend, facts.first),
    roi: ratio(facts.income - facts.spend, facts.spend, 100),
  }
  if (!hasSecond) return one
  const second = METRIC_NAMES.map((name) => {
    const value = one[name]
    return [`${name}_2`, typeof value === 'number' ? money(value * (name.length % 2 ? 0.83 : 1.12)) : null] as const
  })
  const arrows = (['avg_check', 'cfd', 'roi'] as const).map(
    (name) => [`${name}_arrow`, one[name] === null ? null : name === 'cfd' ? 'up' : 'down'] as const,
  )
  const numbers: Metrics = one
  return { ...numbers, ...(Object.fromEntries(second) as Metrics), ...(Object.fromEntries(arrows) as Metrics) }
}

/** `widths` = rows inside each row, level by level: [50, 20, 9] makes 10,050 rows. */
export function makeReportAnswer(request: GeneralReportInput, widths: readonly number[]): GeneralReportAnswer {
  const random = makeRandom(7)
  const hasSecond = request.filter?.secondDateTo !== undefined
  const build = (depth: number): { rows: ReportRow[]; facts: Facts } => {
    let facts = NOTHING
    const rows = Array.from({ length: widths[depth] ?? 0 }, (_, at): ReportRow => {
      const inside = depth + 1 < widths.length ? build(depth + 1) : null
      const own = inside?.facts ?? makeFacts(random, 2_400 / (at + 1))
      facts = add(facts, own)
      const names = NAMES[depth] ?? []
      const title = `${names[at % names.length]}${at < names.length ? '' : ` ${Math.floor(at / names.length) + 1}`}`
      return {
        [LEVELS[depth] ?? 'fg']: { id: at + 1, title },
        m: toMetrics(own, hasSecond),
        ...(inside && { children: inside.rows }),
      }
    })
    return { rows, facts }
  }
  const { rows, facts } = build(0)
  const now = new Date().toISOString()
  return {
    rows,
    total: toMetrics(facts, hasSecond),
    player_count: facts.bettors,
    not_used_spend: [],
    not_used_count: 0,
    deleted_months: [],
    items: rows.length,
    pagination: { page: 1, limit: 500, total: rows.length, maxPageNumber: 1 },
    period: {
      dateFrom: request.filter?.dateFrom ?? '',
      dateTo: request.filter?.dateTo ?? '',
      secondDateFrom: hasSecond ? (request.filter?.secondDateTo ?? null) : null,
      secondDateTo: request.filter?.secondDateTo ?? null,
    },
    built_at: now,
    watermark: now,
    known_at: null,
    sources: { clicks: now, players: now, spends: now },
    currency: 'EUR',
    warnings: [],
    formulas: [],
  }
}
