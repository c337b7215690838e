// The report equals a naive recount of what the record says, through the whole chain: record → facts → report.
// FC_RUNS: worlds (default 2); FC_QUESTIONS: questions to each (default 10); FC_SEED: another course of the same.
import { GENERAL_REPORT_NAMES, GENERAL_REPORTS, type ReportVariant } from '@tributary/contract/reports/choices'
import {
  type GeneralReportAnswer,
  type GeneralReportInput,
  type GeneralReportRequest,
  generalReportRequest,
  METRIC_KEYS,
  type ReportRow,
  type RequestedFormulas,
  type SortKey,
} from '@tributary/contract/reports/general'
import { DIMENSION_NAMES, GROUP_BYS, METRICS } from '@tributary/contract/reports/traffic'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createClickLoader } from '../../src/facts/clicks/click-loader.ts'
import { createMonthSummer } from '../../src/facts/months/month-sums.ts'
import { createOutboxProjector } from '../../src/facts/outbox-projector.ts'
import { createProjection } from '../../src/facts/projection.ts'
import type { Viewer } from '../../src/reports/engine/query.ts'
import { answerGeneralReportRows } from '../../src/reports/kinds/drill-down.ts'
import { answerGeneralReport } from '../../src/reports/kinds/general.ts'
import { startTestServices, type TestServices } from '../support/harness.ts'
import { checkCohorts } from './cohort-property.ts'
import { checkKinds } from './kinds-property.ts'
import { beforeCorrections, correctRecord } from './reports-corrections.ts'
import { byClick, type Fact, toFacts } from './reports-oracle.ts'
import {
  clearWorld,
  writeBooks,
  writeClicks,
  writeDirectory,
  writeEvents,
  writeFormulas,
  writePlayers,
} from './reports-record.ts'
import { type CountedRow, OWN_FORMULAS, recount } from './reports-recount.ts'
import { numbersOf } from './reports-recount-income.ts'
import { addDays, DAYS, type World, worldArbitrary } from './reports-world.ts'

const WORLDS = Number(process.env.FC_RUNS ?? 2)
const QUESTIONS = Number(process.env.FC_QUESTIONS ?? 10)
const SEED = Number(process.env.FC_SEED ?? 20_261_120)

/** A slow machine asks fewer questions; whoever sets FC_RUNS wants them all. */
const SUITE_MS = 40_000

let services: TestServices

beforeAll(async () => {
  services = await startTestServices()
})

/**
 * Everything there is becomes facts; the later half of what players did is told after the first has been, and what people got wrong is
 * corrected when all of it has.
 */
const AFTER_ALL = Date.parse('2027-06-01')

async function live(world: World, isSummed: boolean): Promise<void> {
  const { postgres, clickhouse } = services
  await clearWorld(postgres, clickhouse)
  const before = beforeCorrections(world)
  await writeDirectory(postgres, before)
  await writeFormulas(postgres)
  const projector = createOutboxProjector(postgres, clickhouse, createProjection(postgres, clickhouse, {}))
  const settle = async () => {
    while ((await projector.projectOnce()).hasMore);
  }
  await writeClicks(postgres, world)
  await createClickLoader(postgres, clickhouse).loadOnce()
  await writePlayers(postgres, before)
  const late = Math.floor(world.events.length / 2)
  await writeEvents(postgres, world.events.slice(0, late))
  await settle()
  // What comes later makes some of these sums invalid; of every second world all months are summed up once more.
  await sumMonths()
  await writeEvents(postgres, world.events.slice(late))
  await writeBooks(postgres, before)
  await settle()
  await correctRecord(postgres, world)
  await settle()
  if (isSummed) await sumMonths()
}

async function sumMonths(): Promise<void> {
  const months = createMonthSummer(services, 0)
  while (await months.sumOnce(AFTER_ALL));
}

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)

/** First and last day of a day's month. */
const monthOf = (day: string): [string, string] => {
  const start = `${day.slice(0, 7)}-01`
  return [start, addDays(`${addDays(start, 31).slice(0, 7)}-01`, -1)]
}

const startOf = (world: World): string =>
  world.rates
    .map(({ day }) => day)
    .concat(world.spends.map(({ day }) => day))
    .sort()[0] ?? '2026-01-01'

/** Asks for all days by every dimension alone: random questions may miss one. */
const questionsByDimension = (world: World): GeneralReportInput[] =>
  DIMENSION_NAMES.map((groupBy) => ({
    filter: { groupBy, secondGroupBy: 'off', dateFrom: startOf(world), dateTo: addDays(startOf(world), DAYS) },
    pagination: { page: 1, limit: -1 },
  }))

function questionArbitrary(world: World): fc.Arbitrary<GeneralReportInput> {
  const start = startOf(world)
  const days = fc
    .tuple(fc.integer({ min: -2, max: DAYS }), fc.integer({ min: 0, max: DAYS }))
    .map(([from, length]) => [addDays(start, from), addDays(start, from + length)] as const)
  const [firstMonth, lastMonth] = [monthOf(start), monthOf(addDays(start, DAYS))]
  const months = oneOf(
    [firstMonth[0], firstMonth[1]] as const,
    [lastMonth[0], lastMonth[1]] as const,
    [firstMonth[0], lastMonth[1]] as const,
    [firstMonth[0], addDays(start, DAYS)] as const,
  )
  const span = fc.oneof({ weight: 3, arbitrary: days }, { weight: 1, arbitrary: months })
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { maxLength: 4 })
  const text = oneOf(
    '',
    'a',
    'B b',
    "o'x",
    'ж,1',
    'a\\',
    'site1',
    'site2',
    'sa',
    'aff-1',
    'p7',
    'm1',
    world.clicks[0]?.id ?? '',
    "'; drop table click; --",
  )
  const references = fc.oneof(
    ids,
    ids.map((values) => ({ in: values })),
    ids.map((values) => ({ nin: values })),
  )
  const texts = fc.oneof(
    text,
    fc.array(text, { maxLength: 3 }).map((values) => ({ in: values })),
    fc.array(text, { maxLength: 3 }).map((values) => ({ nin: values })),
    text.map((like) => ({ like })),
  )
  const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 })
  const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
  const groupBy = oneOf(...GROUP_BYS, 'off' as const, 'offer' as const, 'day' as const)
  const names = [
    'advertisers',
    'offers',
    'products',
    'paymentModels',
    'partners',
    'partnerGroups',
    'managers',
    'partnerTags',
    'offerTags',
    'streams',
    'trafficSources',
    'landings',
    'countries',
    'geoCountry',
  ] as const
  const textNames = ['affiliateId', 'siteId', 'subId', 'promocode', 'mediaId', 'playerOuterId', 'clickId'] as const
  const filter = fc.tuple(
    fc.record({
      groupBy,
      secondGroupBy: groupBy,
      thirdGroupBy: groupBy,
      fourthGroupBy: groupBy,
      activity: oneOf('all', 'all', 'all', 'ftd', 'deposits', 'registrations', 'new_players'),
      baseLine: oneOf('all', 'all', 'all', 'qualified', 'unqualified'),
    } as const),
    span,
    rarely(span),
    fc.record(Object.fromEntries(names.map((name) => [name, seldom(references)]))),
    fc.record(Object.fromEntries(textNames.map((name) => [name, seldom(texts)]))),
    seldom(span),
  )
  const own = fc.integer({ min: 1, max: OWN_FORMULAS.length })
  const bound = fc.oneof(fc.integer({ min: 0, max: 5 }), oneOf(0.5, 33.33, -10, 100))
  const condition = fc.oneof(
    bound.map((gt) => ({ gt })),
    bound.map((gte) => ({ gte })),
    bound.map((lt) => ({ lt })),
    bound.map((lte) => ({ lte })),
    bound.map((eq) => ({ eq })),
  )
  return fc
    .record({
      filter,
      cfFilter: fc.oneof(
        { weight: 3, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.dictionary(oneOf(...METRIC_KEYS), condition, { maxKeys: 2 }) },
      ),
      pagination: fc.oneof(
        fc.constant({ page: 1, limit: -1 }),
        fc.record({ page: fc.integer({ min: 1, max: 3 }), limit: fc.integer({ min: 1, max: 6 }) }),
      ),
      sort: rarely(
        fc.record({
          by: fc.oneof(
            { weight: 3, arbitrary: oneOf<SortKey>(...METRIC_KEYS, 'group', 'spend') },
            { weight: 1, arbitrary: own.map((id): SortKey => `formula:${id}`) },
            { weight: 1, arbitrary: own.map((id): SortKey => `formula:${id}_2`) },
          ),
          desc: fc.boolean(),
        }),
      ),
      formulas: oneOf<RequestedFormulas>([], [], 'all', [2]),
    })
    .map(
      ({
        filter: [shape, [dateFrom, dateTo], second, references, texts, firstDeposit],
        cfFilter,
        pagination,
        sort,
        formulas,
      }) => {
        const hasSecond = second !== undefined
        const isKnown = (key: string) => hasSecond || !key.endsWith('_2')
        return clean({
          filter: clean({
            ...shape,
            dateFrom,
            dateTo,
            secondDateFrom: second?.[0],
            secondDateTo: second?.[1],
            firstDeposit: firstDeposit?.join('|'),
            ...references,
            ...texts,
          }),
          cfFilter: Object.fromEntries(Object.entries(cfFilter).filter(([key]) => isKnown(key))),
          pagination,
          sort: sort !== undefined && isKnown(sort.by) ? sort : undefined,
          formulas,
        }) as GeneralReportInput
      },
    )
}

const clean = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T

function simplify(row: ReportRow): CountedRow {
  const group = row.g ?? row.sg ?? row.tg ?? row.fg
  return { id: group?.id ?? '?', m: numbersOf(row), children: (row.children ?? []).map(simplify) }
}

/** A flat row is known by all its groups. */
function simplifyFlat({ g, sg, tg, fg, ...row }: ReportRow): CountedRow {
  const ids = [g, sg, tg, fg].flatMap((group) => (group === undefined ? [] : [group.id]))
  return { id: JSON.stringify(ids), m: numbersOf(row), children: [] }
}

async function checkReport(
  facts: readonly Fact[],
  request: GeneralReportRequest,
  viewer: Viewer,
  variant: ReportVariant,
) {
  const answer = await answerGeneralReport(request, viewer, services, undefined, variant)
  const { partial, ...total } = answer.total
  const counted = recount(facts, request, viewer.partners, variant.isFlat)
  expect({
    rows: answer.rows.filter((row) => row.s === undefined).map(variant.isFlat ? simplifyFlat : simplify),
    lost: answer.rows.filter((row) => row.s !== undefined).map((row) => ({ id: row.s?.id, m: numbersOf(row) })),
    total: numbersOf({ m: total, ...(partial && { partial }) }),
    items: answer.items,
    players: answer.player_count,
    isRateMissing: answer.warnings.includes('rate_missing'),
  }).toEqual(counted)
  if (!variant.isFlat && request.pagination.limit === -1) checkSums(answer)
  return answer
}

/** What adds up does: the rows and spend without a place are the total, and children are their parent. */
function checkSums({ rows, total }: GeneralReportAnswer): void {
  const check = (parent: ReportRow['m'], children: readonly ReportRow[], isTotal: boolean) => {
    for (const key of ['cc', 'uc', 'cr', 'nd', 'deposits'] as const)
      expect([key, children.reduce((sum, { m }) => sum + (m[key] ?? 0), 0)]).toEqual([key, parent[key]])
    // Each row has been rounded by half a cent at most. Spend that no group below carries stands above it alone.
    for (const key of ['deposits_amount', 'first_amount', 'first_day_amount', 'bets', 'income', 's'] as const) {
      const gap = children.reduce((sum, { m }) => sum + (m[key] ?? 0), 0) - (parent[key] ?? 0)
      if (key !== 's' || isTotal) expect(Math.abs(gap)).toBeLessThan(0.005 * (children.length + 1) + 1e-6)
    }
    for (const { m, children: below = [] } of children) if (below.length > 0) check(m, below, false)
  }
  if (rows.length > 0) check(total, rows, true)
}

const isDerived = (key: string): boolean => {
  const metric = key.replace(/_2$/, '')
  return metric in METRICS && 'madeOf' in METRICS[metric as keyof typeof METRICS]
}

/** Opens one number of the answer: the facts behind it add up to it. */
async function checkCell(
  request: GeneralReportRequest,
  rows: readonly ReportRow[],
  total: ReportRow['m'],
  place: number,
  viewer: Viewer,
  variant: ReportVariant,
): Promise<void> {
  const cells: { path: (string | number)[]; nus?: string; m: ReportRow['m'] }[] = [{ path: [], m: total }]
  const walk = (list: readonly ReportRow[], path: (string | number)[]) => {
    for (const row of list) {
      const group = row.g ?? row.sg ?? row.tg ?? row.fg
      if (row.s !== undefined) cells.push({ path: [], nus: row.s.id, m: row.m })
      else if (variant.isFlat) cells.push({ path: JSON.parse(String(simplifyFlat(row).id)) as string[], m: row.m })
      else if (group !== undefined) {
        cells.push({ path: [...path, group.id], m: row.m })
        walk(row.children ?? [], [...path, group.id])
      }
    }
  }
  walk(rows, [])
  const chosen = cells[place % cells.length]
  const numbers = Object.entries(chosen?.m ?? {}).filter(
    ([key, value]) => value !== null && !/^formula|_arrow$|^partial$/.test(key) && !isDerived(key),
  )
  const [metric, value] = numbers[place % numbers.length] ?? []
  if (chosen === undefined || metric === undefined) return
  const cell = { path: chosen.path, metric, ...(chosen.nus !== undefined && { nus: chosen.nus }) } as Parameters<
    typeof answerGeneralReportRows
  >[0]['cell']
  const opened = await answerGeneralReportRows(
    { filter: request.filter, cfFilter: request.cfFilter, cell, pagination: { page: 1, limit: -1 } },
    viewer,
    services,
    undefined,
    variant,
  )
  const sum = opened.items.reduce((all, item) => all + Math.round(item.value * 10_000), 0) / 10_000
  const shown = (number: number) => (Math.sign(number) * Math.round(Math.abs(Math.round(number * 10_000)) / 100)) / 100
  expect({ cell, value: opened.total, sum: shown(sum) }).toEqual({ cell, value, sum: value })
}

test('equals a naive recount for any network, filter, grouping, period and page, and every number opens, in all four variants, cohorts, costs, new deposits, new streams and the dashboard [REP-15] [REP-04] [REP-06] [REP-07] [REP-08] [REP-09] [REP-02] [REP-03] [REP-13] [PERM-07]', {
  timeout: 60_000 + WORLDS * QUESTIONS * 2000,
}, async () => {
  const worlds = fc.sample(worldArbitrary, { numRuns: WORLDS, seed: SEED })
  for (const [index, world] of worlds.entries()) {
    await live(world, index % 2 === 0)
    const facts = { plain: toFacts(world), click: byClick(world) }
    const variants = fc.constantFrom(...GENERAL_REPORT_NAMES.map((name) => GENERAL_REPORTS[name]))
    const scope = fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }), { nil: null })
    const isByClick = index % 2 === 1
    for (const input of questionsByDimension(world))
      await checkReport(
        isByClick ? facts.click : facts.plain,
        generalReportRequest.parse(input),
        { role: 'ADMIN', partners: null, language: 'en' },
        { isByClick, isFlat: false },
      )
    await fc.assert(
      fc.asyncProperty(questionArbitrary(world), scope, fc.nat(), variants, async (input, partners, place, variant) => {
        const viewer: Viewer = { role: 'ADMIN', partners, language: 'en' }
        const request = generalReportRequest.parse(input)
        const counted = variant.isByClick ? facts.click : facts.plain
        const answer = await checkReport(counted, request, viewer, variant)
        await checkCell(request, answer.rows, answer.total, place, viewer, variant)
      }),
      {
        numRuns: QUESTIONS,
        seed: SEED + index,
        endOnFailure: process.env.FC_QUICK !== undefined,
        ...(process.env.FC_RUNS === undefined && { interruptAfterTimeLimit: SUITE_MS / WORLDS }),
      },
    )
    await checkCohorts(services, world, facts.plain, { runs: Math.ceil(QUESTIONS / 2), seed: SEED + index })
    await checkKinds(services, world, facts.plain, { runs: Math.ceil(QUESTIONS / 5), seed: SEED + index })
  }
})
