// How the demo's partners are paid, and who of them shows what: the roles of the closed months.
import type { PoolClient } from 'pg'
import { seal } from '../server/src/integrations/integration.ts'
import type { Services } from '../server/src/services.ts'
import { insert } from './rows.ts'

/** Statements are due so many days after their approval; those of every fourth partner earlier. */
const NET_DAYS = 30
const SHORT_NET_DAYS = 20
const HOLD_DAYS = 3
/** So long that something of the last month is always on hold. */
const LONG_HOLD_DAYS = 45
const MINIMUM = 50
/** The minimum of the smallest partner is the first of these that its last month does not reach. */
const MINIMUMS = [100, 200, 250, 500, 1000, 2500]

/** Partners by what they have earned, the largest first. */
export interface Earner {
  readonly id: number
  readonly title: string
  /** In the report currency, in the last closed month. */
  readonly last: number
}

const RANKS = { usd: [1, 8], gbp: [5], longHold: [2, 6], hold: [3, 9, 14] } as const
const isOf = (ranks: readonly number[], rank: number): boolean => ranks.includes(rank)

/** The rate of a currency in a month, 1 for the report currency. */
const RATE = `coalesce((select rate from currency_rate r where r.currency_id = e.currency_id
  and r.date < (e.booked_month || '-01')::date + interval '1 month' order by r.date desc limit 1), 1)`

export async function readEarners({ postgres }: Services, last: string): Promise<Earner[]> {
  const { rows } = await postgres.pool.query<Earner>(
    `select p.id, p.title, coalesce(sum(e.amount * ${RATE}) filter (where e.booked_month = $1), 0)::float8 as last
      from ledger_entry e join partner p on p.id = e.partner_id group by p.id, p.title order by sum(e.amount * ${RATE}) desc, p.id`,
    [last],
  )
  return rows
}

/** What a partner has earned in a month, in the report currency. */
export async function readEarned({ postgres }: Services, partner: number, month: string): Promise<number> {
  const { rows } = await postgres.pool.query<{ earned: number }>(
    `select coalesce(sum(e.amount * ${RATE}), 0)::float8 as earned from ledger_entry e where partner_id = $1 and booked_month = $2`,
    [partner, month],
  )
  return rows[0]?.earned ?? 0
}

interface Currencies {
  readonly EUR: number
  readonly USD: number
  readonly GBP: number
}

export async function readCurrencies({ postgres }: Services): Promise<Currencies> {
  const { rows } = await postgres.pool.query<{ ids: Currencies }>(
    `select jsonb_object_agg(value, id) as ids from currency where value in ('EUR', 'USD', 'GBP')`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('the demo has currencies')
  return row.ids
}

/** `earners` are those who have earned something so far, the largest first. */
export async function writeBilling(services: Services, earners: readonly Earner[]): Promise<void> {
  const { postgres, config } = services
  const currencies = await readCurrencies(services)
  const rankOf = new Map(earners.map(({ id }, rank) => [id, rank]))
  const { rows } = await postgres.pool.query<{ id: number; title: string }>('select id, title from partner order by id')
  const partners = rows.map((partner, place) => {
    const rank = rankOf.get(partner.id) ?? earners.length
    const currency = isOf(RANKS.usd, rank) ? currencies.USD : isOf(RANKS.gbp, rank) ? currencies.GBP : currencies.EUR
    const hold = isOf(RANKS.longHold, rank) ? LONG_HOLD_DAYS : isOf(RANKS.hold, rank) ? 14 : HOLD_DAYS
    return { ...partner, place, currency, hold }
  })
  await postgres.withClient(async (client) => {
    await insert(
      client,
      'partner_billing',
      partners.map(({ id, title, place, currency, hold }) => ({
        partner_id: id,
        legal_name: `${title} Ltd`,
        tax_id: `EE10${String(100_000 + id * 37)}`,
        vat: place % 3 === 2 ? 20 : 0,
        currency_id: currency,
        net_days: place % 4 === 1 ? SHORT_NET_DAYS : NET_DAYS,
        hold_days: hold,
        minimum: MINIMUM,
        method: place % 4 === 3 ? 'crypto' : 'bank_transfer',
        negative_rs: place % 5 === 4 ? 'zero' : 'carry',
        details_changed_at: new Date().toISOString(),
      })),
    )
    await insert(
      client,
      'partner_billing_currency',
      partners.map(({ id, currency }) => ({ partner_id: id, month: '0001-01', currency_id: currency })),
    )
    await sealDetails(client, config.secret, partners)
  })
}

async function sealDetails(client: PoolClient, secret: string, partners: readonly { id: number }[]): Promise<void> {
  for (const { id } of partners) {
    const details = seal(secret, 'partner billing', `partner ${id}`, `EE38 2200 2210 ${20_000_000 + id * 1013}`)
    await client.query('update partner_billing set details = $2 where partner_id = $1', [id, details])
  }
}

/** The partner who earned least in the last month does not reach the minimum. */
export async function raiseMinimum({ postgres }: Services, earners: readonly Earner[]): Promise<void> {
  const [smallest] = earners.filter(({ last }) => last > 0).sort((one, other) => one.last - other.last)
  if (smallest === undefined) return
  const minimum = MINIMUMS.find((amount) => amount > smallest.last * 1.2)
  await postgres.pool.query('update partner_billing set minimum = coalesce($2, minimum) where partner_id = $1', [
    smallest.id,
    minimum,
  ])
}

/** Staff have decided about the players of the closed months, apart from late ones of some smaller partners. */
export async function approvePlayers({ postgres }: Services, earners: readonly Earner[], month: string): Promise<void> {
  const busy = earners.slice(0, 10).map(({ id }) => id)
  await postgres.pool.query(
    `update player set payment_resolution = 'approved' where qualification = 'qualified' and payment_resolution is null
      and qualified_at < $2::date + interval '1 month' and (partner_id = any($1) or partner_id % 3 > 0 or qualified_at < $2::date + 22)`,
    [busy, `${month}-01`],
  )
}
