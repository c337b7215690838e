// The budget plan equals an oracle computed from single facts: random networks around month ends, clock changes and a leap day, random plans,
// filters and thresholds. BUDGET_CASES: cases of all networks together (default 20; the long tests 1000); FC_SEED: another course of the same.

import { BUDGET_WARNINGS, budgetRequest } from '@tributary/contract/reports/budget'
import { generalReportRequest } from '@tributary/contract/reports/general'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createClickLoader } from '../../src/facts/clicks/click-loader.ts'
import { createMonthSummer } from '../../src/facts/months/month-sums.ts'
import { createOutboxProjector } from '../../src/facts/outbox-projector.ts'
import { createProjection } from '../../src/facts/projection.ts'
import { exportBudget } from '../../src/reports/export/budget-export.ts'
import { answerBudget } from '../../src/reports/kinds/budget.ts'
import { answerGeneralReport } from '../../src/reports/kinds/general.ts'
import { startTestServices, type TestServices } from '../support/harness.ts'
import { type PartRow, type PlanRow, tellBudget } from './budget-oracle.ts'
import { type Fact, toFacts } from './reports-oracle.ts'
import { clearWorld, writeBooks, writeClicks, writeDirectory, writeEvents, writePlayers } from './reports-record.ts'
import { addDays, DAYS, type Scene, type World, worldIn } from './reports-world.ts'

const CASES = Number(process.env.BUDGET_CASES ?? 20)
const SEED = Number(process.env.FC_SEED ?? 20_261_120)

/** Each period crosses the end of a month. */
const SCENES: readonly Scene[] = [
  { zone: 'Europe/Kyiv', start: '2026-03-22' },
  { zone: 'Europe/Kyiv', start: '2026-10-19' },
  { zone: 'America/New_York', start: '2026-10-25' },
  { zone: 'Europe/Kyiv', start: '2024-02-20' },
  { zone: 'Asia/Kathmandu', start: '2025-12-26' },
]

let services: TestServices

beforeAll(async () => {
  services = await startTestServices()
})

async function live(world: World): Promise<void> {
  const { postgres, clickhouse } = services
  await clearWorld(postgres, clickhouse)
  await writeDirectory(postgres, world)
  await writeClicks(postgres, world)
  await createClickLoader(postgres, clickhouse).loadOnce()
  await writePlayers(postgres, world)
  await writeEvents(postgres, world.events)
  await writeBooks(postgres, world)
  const projector = createOutboxProjector(postgres, clickhouse, createProjection(postgres, clickhouse, {}))
  while ((await projector.projectOnce()).hasMore);
  const months = createMonthSummer(services, 0)
  while (await months.sumOnce(Date.parse('2027-06-01')));
}

const monthOf = (day: string): string => day.slice(0, 7)

function caseArbitrary(start: string) {
  const months = [
    ...new Set([addDays(start, -25), start, addDays(start, DAYS), addDays(start, DAYS + 25)].map(monthOf)),
  ]
  const month = fc.constantFrom(...months)
  const plan = fc.record({
    advertiser: fc.constantFrom(1, 2),
    country: fc.constantFrom(1, 2, 3),
    month: month.map((one) => `${one}-01`),
    planned: fc.oneof(
      fc.integer({ min: 0, max: 300_000 }).map((cents) => cents / 100),
      fc.integer({ min: 0, max: 9_999 }).map((one) => one / 10_000),
    ),
    currency: fc.constantFrom(null, 1, 1, 2, 2, 3),
    isActive: fc.constantFrom(true, true, true, false),
  })
  const part = fc.tuple(plan, fc.integer({ min: 1, max: 4 })).map(([row, partner]) => ({ ...row, partner }))
  const place = (row: { advertiser: number; country: number; month: string; partner?: number }) =>
    [row.advertiser, row.country, row.month, row.partner].join()
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 })
  return fc.record({
    plans: fc.uniqueArray(plan, { maxLength: 8, selector: place }),
    parts: fc.uniqueArray(part, { maxLength: 8, selector: place }),
    month,
    today: fc.oneof(
      { weight: 2, arbitrary: fc.integer({ min: -3, max: DAYS + 20 }).map((days) => addDays(start, days)) },
      // The first and last days of the months.
      { weight: 1, arbitrary: fc.constantFrom(...months.flatMap((one) => [`${one}-01`, addDays(`${one}-01`, -1)])) },
    ),
    scope: fc.option(ids, { nil: null, freq: 2 }),
    partners: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: ids }),
    groups: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(1, 2, 3), { maxLength: 2 }) },
    ),
    riseFactor: fc.constantFrom(1, 1.2, 3),
    overlimitDays: fc.constantFrom(1, 7, 31),
    deficitPercentage: fc.constantFrom(0, 12.5),
  })
}

const numbered = <T extends object>(rows: readonly T[]): (T & { id: number })[] =>
  rows.map((row, index) => ({ ...row, id: index + 1 }))

async function writePlans(plans: readonly PlanRow[], parts: readonly PartRow[]): Promise<void> {
  const { pool } = services.postgres
  await pool.query('delete from budget_version')
  await pool.query('delete from budget')
  await pool.query('delete from partner_budget')
  const columns = 'id, advertiser_id, country_id, month, planned, currency_id, active'
  const typed = 'id int, advertiser int, country int, month date, planned numeric, currency int, "isActive" boolean'
  const values = 'id, advertiser, country, month, planned, currency, "isActive"'
  await pool.query(
    `insert into budget (${columns}) overriding system value select ${values} from jsonb_to_recordset($1) as r (${typed})`,
    [JSON.stringify(plans)],
  )
  await pool.query(
    `insert into partner_budget (${columns}, partner_id) overriding system value
      select ${values}, partner from jsonb_to_recordset($1) as r (${typed}, partner int)`,
    [JSON.stringify(parts)],
  )
}

async function ask(input: object, scope: readonly number[] | null, today: string) {
  const viewer = { role: 'ADMIN', partners: scope, language: 'en' } as const
  return answerBudget(budgetRequest.parse(input), viewer, services, undefined, today)
}

type Answer = Awaited<ReturnType<typeof ask>>

/** Reduces the answer to the oracle's shape: sorted ids, no titles. */
function simplify(answer: Answer) {
  const { rows, total, not_used_spend, not_used_total, burn_up, days, complete_days, is_narrowed } = answer
  return {
    rows: rows
      .map(({ advertiser: _advertiser, groups, warnings, ...row }) => ({
        ...row,
        warnings: warnings.toSorted(),
        groups: groups
          .map(({ country: _country, budget, partners, warnings: own, ...group }) => ({
            ...group,
            budget: budget.budget,
            warnings: own.toSorted(),
            partners: partners
              .map(({ partner, budget: part, actual_budget, free_budget }) => ({
                partner: Number(partner.id),
                budget: part,
                actual_budget,
                free_budget,
              }))
              .sort((a, b) => a.partner - b.partner),
          }))
          .sort((a, b) => a.country_id - b.country_id),
      }))
      .sort((a, b) => a.advertiser_id - b.advertiser_id),
    total: { ...total, warnings: total.warnings.toSorted() },
    not_used_total,
    not_used_places: not_used_spend.length,
    burn_up,
    days,
    complete_days,
    is_narrowed,
  }
}

async function checkWorld(world: World, facts: readonly Fact[], start: string, cases: number, seed: number) {
  await fc.assert(
    fc.asyncProperty(caseArbitrary(start), async ({ plans: drawn, parts: drawnParts, ...one }) => {
      const plans = numbered(drawn)
      const parts = numbered(drawnParts)
      await writePlans(plans, parts)
      await services.postgres.pool.query(
        'update setting set spend_rise_factor = $1, overlimit_days = $2, budget_deficit_percentage = $3',
        [one.riseFactor, one.overlimitDays, one.deficitPercentage],
      )
      const filter = { partners: one.partners, partnerGroups: one.groups }
      const answer = await ask({ month: one.month, filter }, one.scope, one.today)
      const { not_used_places, ...told } = tellBudget({ world, facts, plans, parts, ...one })
      const { not_used_places: places, ...shown } = simplify(answer)
      expect(shown).toEqual(told)
      // Spend that rounds to zero is not listed.
      expect(places).toBeLessThanOrEqual(not_used_places)
    }),
    { numRuns: cases, seed, endOnFailure: true },
  )
}

test('equals an oracle computed from single facts for any plans, month, day, partners, groups, scope and thresholds [SPD-05] [MON-09] [PERM-07]', {
  timeout: 60_000 + CASES * 1000,
}, async () => {
  for (const [index, scene] of SCENES.entries()) {
    const [world] = fc.sample(worldIn(scene), { numRuns: 1, seed: SEED + index })
    if (world === undefined) throw new Error('no world')
    await live(world)
    await checkWorld(world, toFacts(world), scene.start, Math.ceil(CASES / SCENES.length), SEED + index)
  }
})

test('every figure equals the general report behind it [SPD-05] [MON-09]', { timeout: 60_000 }, async () => {
  const scene = { zone: 'Europe/Kyiv', start: '2026-10-19' }
  const [world] = fc.sample(worldIn(scene), { numRuns: 1, seed: SEED + 7 })
  if (world === undefined) throw new Error('no world')
  await live(world)
  const answer = await ask({ month: '2026-10' }, null, '2026-10-31')
  expect(answer.rows.length).toBeGreaterThan(0)
  expect(answer.shown_total).toBeNull()
  for (const row of answer.rows)
    for (const group of row.groups)
      expect(group.actual_budget).toBe(await reportedSpend(row.advertiser_id, [group.country_id]))
  // Nothing of the plan is left to a partner who has no part of it.
  const shares = answer.rows.flatMap(({ groups }) => groups).flatMap(({ partners }) => partners)
  const without = shares.filter(({ budget }) => budget === null)
  expect(without.length).toBeGreaterThan(0)
  expect(without.map(({ free_budget }) => free_budget)).toEqual(without.map(() => null))
  // Sums of listed countries are those of the report that is filtered by these.
  for (const search of new Set(answer.rows.flatMap(({ groups }) => groups.map(({ country }) => country.title)))) {
    const filter = { search: ` ${search.toUpperCase()} ` }
    const found = await ask({ month: '2026-10', filter }, null, '2026-10-31')
    const own = answer.rows.filter(({ groups }) => groups.some(({ country }) => country.title === search))
    expect(new Set(found.rows.map((row) => row.advertiser_id))).toEqual(new Set(own.map((row) => row.advertiser_id)))
    for (const row of found.rows) {
      expect(row.groups.map(({ country }) => country.title)).toEqual([search])
      const countries = row.groups.map(({ country_id }) => country_id)
      expect(row.actual_budget).toBe(await reportedSpend(row.advertiser_id, countries))
    }
    // The month as a whole stays as it is.
    const { total, warning_counts, burn_up } = answer
    expect(found).toMatchObject({ total, warning_counts, burn_up })
    expect(await lastOfFile(filter)).toEqual([found.shown_total?.budget, found.shown_total?.actual_budget])
  }
  for (const warning of BUDGET_WARNINGS) {
    const { rows } = await ask({ month: '2026-10', filter: { warning } }, null, '2026-10-31')
    const groups = rows.flatMap((row) => row.groups)
    expect(groups.every(({ warnings }) => warnings.includes(warning))).toBe(true)
    expect(groups).toHaveLength(answer.warning_counts[warning])
  }
})

const ADMIN = { role: 'ADMIN', partners: null, language: 'en' } as const

/** The spend of an advertiser in some countries, as the general report shows it, floored. */
async function reportedSpend(advertiser: number, countries: readonly number[]): Promise<string> {
  const filter = {
    groupBy: 'advertiser',
    secondGroupBy: 'country',
    thirdGroupBy: 'partner',
    dateFrom: '2026-10-01',
    dateTo: '2026-10-31',
    advertisers: [advertiser],
    countries,
  }
  const report = await answerGeneralReport(generalReportRequest.parse({ filter }), ADMIN, services)
  const row = report.rows.find(({ g }) => g?.id === advertiser)
  return String(Math.floor(row?.m.s ?? 0))
}

/** Planned and actual of the last row of the plan as a file. */
async function lastOfFile(filter: object): Promise<unknown[]> {
  const request = { ...budgetRequest.parse({ month: '2026-10', filter }), columns: [] }
  const { batches } = await exportBudget({ request, viewer: ADMIN, title: '' }, services)
  const rows = (await Array.fromAsync(batches)).flat()
  return rows.at(-1)?.slice(3, 5) ?? []
}
