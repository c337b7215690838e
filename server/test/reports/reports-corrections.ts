// What people get wrong in a random world, and how they put it right: rates, histories, limits, resolutions, whose player it is, reports that are read
// again, spends.
import type { Postgres } from '../../src/postgres/client.ts'
import { attributionOf } from './reports-record.ts'
import { HISTORIES } from './reports-record-terms.ts'
import { type Player, sumsOf, type World } from './reports-world.ts'
import type { Range } from './reports-world-terms.ts'

const raised = (ranges: readonly Range[]): Range[] => ranges.map((range) => ({ ...range, value: range.value + 5 }))

/** Nobody's at first, or another's: people assign them by hand. */
const isAssigned = ({ id, click }: Player): boolean => click === null && id % 2 === 0

/** The world before people corrected it. */
export const beforeCorrections = (world: World): World => ({
  ...world,
  rates: world.rates.map((row) => ({ ...row, rate: row.rate * 2 })),
  links: world.links.map((row) => ({
    ...row,
    baseline: row.baseline === null ? 1 : null,
    bets: row.bets === null ? 3 : null,
    dated: {
      ...row.dated,
      costs: raised(row.dated.costs),
      shares: raised(row.dated.shares),
      agency: raised(row.dated.agency),
    },
    limits: {
      baseline: raised(row.limits.baseline),
      period: raised(row.limits.period),
      maxDays: raised(row.limits.maxDays),
      bets: raised(row.limits.bets),
    },
  })),
  players: world.players.map((row) => ({
    ...row,
    resolution: row.resolution === 'not_approved' ? null : 'not_approved',
    isActive: row.id % 5 === 0 ? !row.isActive : row.isActive,
    link: isAssigned(row) ? otherLink(row, world) : row.link,
  })),
  reports: world.reports.map((row) => ({
    ...row,
    count: row.count + 1,
    deposits: row.deposits + 3,
    income: -row.income,
  })),
  spends: world.spends.map((row) => ({
    ...row,
    sum: row.sum + 1,
    isActive: row.id % 4 === 0 ? !row.isActive : row.isActive,
  })),
})

/** One of the same advertiser's. */
function otherLink({ id, link, advertiser }: Player, world: World): number | null {
  const others = world.links.filter((one) => one.id !== link && world.offers[one.offer - 1]?.advertiser === advertiser)
  return others[id % (others.length + 1)]?.id ?? null
}

/** What is wrong in it is put right, row by row, as edits and reports that are read again do. */
export async function correctRecord({ pool }: Postgres, world: World): Promise<void> {
  for (const { day, rate } of world.rates)
    await pool.query('update currency_rate set rate = $2 where date = $1', [day, rate])
  for (const link of world.links) {
    const { id, baseline, bets } = link
    await pool.query('update offer_partner set baseline = $2, bet_requirement = $3 where id = $1', [id, baseline, bets])
    for (const [table, of] of HISTORIES)
      for (const { from, value } of of(link))
        await pool.query(`update ${table} set value = $3 where offer_partner_id = $1 and date_from = $2`, [
          id,
          from,
          value,
        ])
  }
  for (const player of world.players) {
    const { id, resolution, isActive } = player
    await pool.query('update player set payment_resolution = $2, active = $3 where id = $1', [id, resolution, isActive])
    if (!isAssigned(player)) continue
    const columns = Object.entries(attributionOf(player, world))
    const set = columns.map(([column], place) => `${column} = $${place + 2}`).join(', ')
    await pool.query(`update player set ${set} where id = $1`, [id, ...columns.map(([, value]) => value)])
  }
  for (const row of world.reports)
    await pool.query(
      'update player_report set deposits_count = $3, deposits = $4, income = $5 where player_id = $1 and report_date = $2',
      [row.player, row.day, row.count, row.deposits, row.income],
    )
  for (const spend of world.spends)
    await pool.query(
      'update partner_spend set sum = $2, claim_sum = $3, claim_currency_id = $4, active = $5 where id = $1',
      [spend.id, ...Object.values(sumsOf(spend)), spend.isActive],
    )
}
