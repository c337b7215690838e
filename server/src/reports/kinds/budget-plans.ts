// Reads the plans of a month from PostgreSQL and converts them to the report currency by the rate of the month's first day.

import type { BudgetState } from '@tributary/contract/entities/budget'
import { parseMoney } from '@tributary/contract/money'
import type { Postgres } from '../../postgres/client.ts'
import type { Thresholds } from './budget-figures.ts'

export interface Plan {
  readonly id: number
  readonly advertiser: number
  readonly country: number
  /** The entered amount in `currency`, as decimal text. */
  readonly planned: string
  readonly currency: { readonly id: number; readonly value: string } | null
  /** Ten-thousandths of the report currency; null if the currency has no rate. */
  readonly amount: bigint | null
  readonly version: number
}

export interface NetworkPlan extends Plan {
  readonly state: BudgetState
}

export interface PartnerPlan extends Plan {
  readonly partner: number
}

interface Row extends Omit<Plan, 'amount' | 'currency'> {
  readonly currency_id: number | null
  readonly currency_value: string | null
  readonly amount: string | null
}

/** A day without a rate uses the latest rate before it. A plan without a currency is in the report currency. */
const PLAN_COLUMNS_SQL = `p.id, p.advertiser_id as advertiser, p.country_id as country, p.planned, p.version,
    c.id as currency_id, c.value as currency_value,
    case when p.planned = 0 or p.currency_id is null or p.currency_id = own.id then p.planned
      else round(p.planned * (select r.rate from currency_rate r
        where r.currency_id = p.currency_id and r.active and r.date <= p.month order by r.date desc limit 1), 4) end as amount`
const REPORT_CURRENCY_SQL = `(select coalesce(report_currency_id,
    (select id from currency where value = 'EUR' or title = 'EUR' order by id limit 1)) as id from setting) own`

const toPlan = <R extends Row>({ currency_id, currency_value, amount, ...row }: R) => ({
  ...row,
  currency: currency_id === null ? null : { id: currency_id, value: currency_value ?? '' },
  amount: amount === null ? null : parseMoney(amount),
})

/** `month` is the first day of the month. */
export async function readNetworkPlans({ pool }: Postgres, month: string): Promise<NetworkPlan[]> {
  const { rows } = await pool.query<Row & { state: BudgetState }>(
    `select ${PLAN_COLUMNS_SQL}, p.state from budget p cross join ${REPORT_CURRENCY_SQL} left join currency c on c.id = p.currency_id
    where p.month = $1::date and p.active`,
    [month],
  )
  return rows.map(toPlan)
}

/** `partners` null means all partners. */
export async function readPartnerPlans(
  { pool }: Postgres,
  month: string,
  partners: readonly number[] | null,
): Promise<PartnerPlan[]> {
  const { rows } = await pool.query<Row & { partner: number }>(
    `select ${PLAN_COLUMNS_SQL}, p.partner_id as partner from partner_budget p cross join ${REPORT_CURRENCY_SQL} left join currency c on c.id = p.currency_id
    where p.month = $1::date and p.active and ($2::int[] is null or p.partner_id = any($2))`,
    [month, partners],
  )
  return rows.map(toPlan)
}

/** Visible partners that are among `partners` and members of one of `partnerGroups`; an empty list does not limit. Null means no limit. */
export async function narrowPartners(
  { pool }: Postgres,
  visible: readonly number[] | null,
  {
    partners = [],
    partnerGroups = [],
  }: { partners?: readonly number[] | undefined; partnerGroups?: readonly number[] | undefined },
): Promise<readonly number[] | null> {
  if (partners.length === 0 && partnerGroups.length === 0) return visible
  const { rows } = await pool.query<{ id: number }>(
    `select id from partner p where ($1::int[] is null or id = any($1)) and (cardinality($2::int[]) = 0 or id = any($2))
      and (cardinality($3::int[]) = 0 or exists (select from partner_partner_group m
        where m.partner_id = p.id and m.active and m.partner_group_id = any($3)))
    order by id`,
    [visible, partners, partnerGroups],
  )
  return rows.map(({ id }) => id)
}

export async function readThresholds({ pool }: Postgres): Promise<Thresholds> {
  const { rows } = await pool.query<{ rise: string; days: number; deficit: string }>(
    `select (spend_rise_factor * 100)::bigint::text as rise, overlimit_days as days,
      (budget_deficit_percentage * 100)::bigint::text as deficit from setting`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('the installation has no settings row')
  return { riseFactor: BigInt(row.rise), overlimitDays: row.days, deficitPercentage: BigInt(row.deficit) }
}

/** `month`: 'YYYY-MM'. */
export async function isMonthClosed({ pool }: Postgres, month: string): Promise<boolean> {
  const { rows } = await pool.query(
    'select from period_close where month = $1 and partner_group_id is null and reopened_at is null limit 1',
    [month],
  )
  return rows.length > 0
}

export interface AdvertiserCountry {
  readonly advertiser: number
  readonly country: number
}

/** Countries in which active advertisers work. */
export async function readAdvertiserCountries({ pool }: Postgres): Promise<AdvertiserCountry[]> {
  const { rows } = await pool.query<AdvertiserCountry>(
    `select k.advertiser_id as advertiser, k.country_id as country from advertiser_country k
      join advertiser a on a.id = k.advertiser_id where k.active and a.active`,
  )
  return rows
}
