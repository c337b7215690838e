// Hand-over from the inbox to ClickHouse: each click arrives once, even if a process dies between two steps.

import fc from 'fast-check'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Clickhouse } from '../../src/clickhouse/client.ts'
import { dropLoadedClicks, dropSilentWriters, shortenOldIps } from '../../src/facts/clicks/click-cleanup.ts'
import { lowestId } from '../../src/facts/clicks/click-lines.ts'
import { type ClickLoader, createClickLoader, type LoadStep } from '../../src/facts/clicks/click-loader.ts'
import type { InboxClick } from '../../src/facts/columns.ts'
import type { Postgres } from '../../src/postgres/client.ts'
import { sqlOf } from '../support/facts-record.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'
import { startTestServices } from '../support/harness.ts'
import { inboxClick } from '../support/inbox-click.ts'
import { INSERT_INBOX } from '../support/inbox-rows.ts'
import { loadClicks } from '../support/load-clicks.ts'

let postgres: Postgres
let clickhouse: Clickhouse
let sql: ReturnType<typeof sqlOf>

beforeAll(async () => {
  const services = await startTestServices()
  postgres = services.postgres
  clickhouse = services.clickhouse
  sql = sqlOf(postgres)
})

beforeEach(async () => {
  await sql('truncate click_inbox, click_writer')
  await clickhouse.exec('truncate table click')
})

let count = 0

/** Ids increase as in the tracker. */
function makeClick(time: number, more: Partial<InboxClick> = {}): InboxClick {
  count++
  return inboxClick({
    id: `${lowestId(time).slice(0, 14)}7${(count & 0xfff).toString(16).padStart(3, '0')}-8000-${count.toString(16).padStart(12, '0')}`,
    created_at: time,
    offer_partner_id: 1,
    offer_id: 2,
    partner_id: 3,
    advertiser_id: 4,
    stream_id: 5,
    traffic_source_id: 6,
    country_id: 7,
    ...more,
  })
}

async function openWriter(): Promise<number> {
  return (await sql('insert into click_writer default values returning id'))[0]?.id ?? 0
}

async function record(writer: number, clicks: readonly InboxClick[]): Promise<void> {
  const rows = clicks.map((click) => ({ ...click, created_at: new Date(click.created_at).toISOString(), writer }))
  await sql(INSERT_INBOX, [JSON.stringify(rows)])
}

async function drain(loader: ClickLoader): Promise<void> {
  while ((await loader.loadOnce()).isBehind);
}

const loadedIds = async (): Promise<string[]> =>
  (await clickhouse.table('select toString(id) from click order by created_at, toString(id)')).rows.map(([id]) =>
    String(id),
  )

const idsOf = (clicks: readonly InboxClick[]): string[] => clicks.map((click) => click.id).sort()

const NOW = Date.now()

test('every field arrives, and a click loaded in bulk is the same row [TRK-01][TRK-03]', async () => {
  const full = makeClick(Date.parse('2026-03-28T22:00:00.123Z'), {
    landing_id: 8,
    canonical_id: '01980000-0000-7000-8000-000000000001',
    sub_id: 'a\tb\\"\'\n',
    sub2: '2',
    sub3: '3',
    sub4: '4',
    sub5: 'ü🙂',
    partner_click_id: 'their',
    promocode: 'P',
    media_id: 'm',
    ip_country: 'UA',
    user_agent: 'Mozilla',
    referrer: 'https://r.example/',
    language: 'en',
  })
  const clicks = [full, makeClick(NOW, { bot: true }), makeClick(NOW)]
  await record(await openWriter(), clicks)
  await drain(createClickLoader(postgres, clickhouse))
  const rows = await clickhouse.query<Record<string, unknown>>('select * from click order by created_at, toString(id)')
  expect(rows[0]).toMatchObject({
    id: full.id,
    day: '2026-03-29',
    created_at: '2026-03-28 22:00:00.123',
    landing_id: 8,
    bot: 0,
    is_click: 1,
    is_unique: 0,
    canonical_id: full.canonical_id,
    sub_id: full.sub_id,
    sub5: full.sub5,
  })
  expect(rows.map((row) => [row.bot, row.is_click, row.is_unique])).toEqual([
    [0, 1, 0],
    [1, 0, 0],
    [0, 1, 1],
  ])
  await clickhouse.exec('truncate table click')
  await loadClicks({ postgres, clickhouse }, clicks, 'Europe/Kyiv')
  expect(await clickhouse.query('select * from click order by created_at, toString(id)')).toEqual(rows)
})

test('the roll-up inside the table equals the sums of the rows [REP-15]', async () => {
  const clicks = Array.from({ length: 300 }, (_, index) =>
    makeClick(NOW - index * 3_600_000, {
      bot: index % 7 === 0,
      offer_partner_id: index % 5,
      canonical_id: index % 3 ? null : lowestId(NOW),
    }),
  )
  await record(await openWriter(), clicks)
  await drain(createClickLoader(postgres, clickhouse, { batchSize: 70 }))
  const report =
    'select day, offer_partner_id, sum(is_click) as cc, sum(is_unique) as uc from click group by 1, 2 order by 1, 2'
  const [plan] = await clickhouse.query<{ used: number }>(
    `select countIf(explain like '%by_day_link%') as used from (explain projections = 1 ${report})`,
  )
  expect(plan?.used).toBeGreaterThan(0)
  expect(await clickhouse.query(`${report} settings force_optimize_projection = 1`)).toEqual(
    await clickhouse.query(`${report} settings optimize_use_projections = 0`),
  )
})

for (const step of ['read', 'inserted', 'marked'] satisfies LoadStep[]) {
  test(`killed after '${step}', the next loader brings each click once [TRK-03]`, async () => {
    const writers = [await openWriter(), await openWriter()]
    const clicks = Array.from({ length: 40 }, (_, index) => makeClick(NOW + index))
    for (const [index, writer] of writers.entries())
      await record(
        writer,
        clicks.filter((_, at) => at % 2 === index),
      )
    let left = 2
    const dying = createClickLoader(postgres, clickhouse, {
      batchSize: 15,
      onStep(name) {
        if (name === step && --left === 0) throw new Error('killed')
      },
    })
    await expect(drain(dying)).rejects.toThrow('killed')
    const late = makeClick(NOW + 41)
    await record(writers[0] ?? 0, [late])
    await drain(createClickLoader(postgres, clickhouse, { batchSize: 7 }))
    expect(await loadedIds()).toEqual(idsOf([...clicks, late]))
  })
}

test('the same loader continues after a failed step and loads each click once [TRK-03]', async () => {
  const writer = await openWriter()
  const clicks = Array.from({ length: 30 }, (_, index) => makeClick(NOW + index))
  await record(writer, clicks)
  let failures = 3
  const loader = createClickLoader(postgres, clickhouse, {
    batchSize: 11,
    onStep(name) {
      if (name === 'inserted' && failures-- > 0) throw new Error('no answer')
    },
  })
  for (let time = 0; time < 3; time++) await expect(drain(loader)).rejects.toThrow('no answer')
  await drain(loader)
  expect(await loadedIds()).toEqual(idsOf(clicks))
})

test('clicks of a silent, new or forgotten writer are found [TRK-03]', async () => {
  const [first, second] = [await openWriter(), await openWriter()]
  const loader = createClickLoader(postgres, clickhouse)
  const clicks = [makeClick(NOW - 7_200_000), makeClick(NOW - 7_100_000)]
  await record(first, [clicks[0] as InboxClick])
  await record(second, [clicks[1] as InboxClick])
  await drain(loader)
  for (let round = 0; round < 3; round++) {
    const fresh = [makeClick(Date.now()), makeClick(Date.now())]
    clicks.push(...fresh)
    await record(first, [fresh[0] as InboxClick])
    if (round === 1) await record(second, [fresh[1] as InboxClick])
    else await record(await openWriter(), [fresh[1] as InboxClick])
    const lookAgain = async (): Promise<string[]> => {
      await loader.loadOnce()
      return loadedIds()
    }
    await expect.poll(lookAgain, { timeout: 5000 }).toEqual(idsOf(clicks))
  }
  await sql('delete from click_inbox')
  await sql(`update click_writer set started_at = now() - interval '2 days'`)
  await dropSilentWriters(postgres)
  expect(await sql('select id from click_writer')).toEqual([])
  const again = makeClick(Date.now())
  await record(first, [again])
  await drain(createClickLoader(postgres, clickhouse))
  expect(await loadedIds()).toContain(again.id)
  expect(await sql('select loaded_id from click_writer where id = $1', [first])).toEqual([{ loaded_id: again.id }])
})

test('clicks leave the inbox when they are handed over and old, never before [TRK-03]', async () => {
  const writer = await openWriter()
  const [old, fresh] = [makeClick(NOW - 7_200_000), makeClick(NOW)]
  await record(writer, [old, fresh])
  await dropLoadedClicks(postgres, NOW)
  expect(await sql('select count(*) as rows from click_inbox')).toEqual([{ rows: 2 }])
  await drain(createClickLoader(postgres, clickhouse))
  await dropLoadedClicks(postgres, NOW)
  expect(await sql('select id from click_inbox')).toEqual([{ id: fresh.id }])
})

test('IPs of visitors are shortened once a month, when the whole month is older than set, and not before [TRK-01] [SYS-06]', async () => {
  const at = (day: string) => Date.parse(`${day}T12:00:00Z`)
  const clicks = [
    makeClick(at('2024-03-02'), { ip: '203.0.113.77' }),
    makeClick(at('2024-03-30'), { ip: '2001:db8:1:2::3' }),
    makeClick(at('2024-04-15'), { ip: '203.0.113.78' }),
  ]
  await loadClicks({ postgres, clickhouse }, clicks, 'Europe/Kyiv')
  const addresses = async (): Promise<unknown[]> =>
    (await clickhouse.table('select ip from click order by created_at')).rows.flat()
  const mutations = async (): Promise<number> =>
    (await clickhouse.query(`select mutation_id from system.mutations where table = 'click'`)).length
  const before = await mutations()
  expect(await shortenOldIps(postgres, clickhouse, '2024-03-31')).toBeUndefined()
  expect(await shortenOldIps(postgres, clickhouse, '2024-04-30')).toBe('202403')
  await expect.poll(addresses).toEqual(['203.0.113.0', '2001:db8:1::', '203.0.113.78'])
  expect(await shortenOldIps(postgres, clickhouse, '2024-04-30')).toBeUndefined()
  expect((await mutations()) - before).toBe(1)
  expect(await shortenOldIps(postgres, clickhouse, '2024-05-01')).toBe('202404')
  await expect.poll(addresses).toEqual(['203.0.113.0', '2001:db8:1::', '203.0.113.0'])
  expect(await clickhouse.query('select sum(is_click) as cc from click')).toEqual([{ cc: 3 }])
})

test('any interleaving of commits, batches and crashes hands over each click exactly once [TRK-03][SYS-06]', async () => {
  const action = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('commit' as const),
        writer: fc.nat(2),
        size: fc.integer({ min: 1, max: 9 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('load' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('die' as const),
        step: fc.constantFrom<LoadStep>('read', 'inserted', 'marked'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('clean' as const) }) },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 3, maxLength: 25 }),
      fc.integer({ min: 2, max: 12 }),
      async (actions, batchSize) => {
        await sql('truncate click_inbox, click_writer')
        await clickhouse.exec('truncate table click')
        const writers = [await openWriter(), await openWriter(), await openWriter()]
        const clicks: InboxClick[] = []
        let doomed: LoadStep | undefined
        const open = (): ClickLoader =>
          createClickLoader(postgres, clickhouse, {
            batchSize,
            onStep(name) {
              if (name === doomed) throw new Error('killed')
            },
          })
        let loader = open()
        for (const step of actions) {
          if (step.kind === 'commit') {
            const fresh = Array.from({ length: step.size }, () => makeClick(Date.now()))
            clicks.push(...fresh)
            await record(writers[step.writer] ?? 0, fresh)
          } else if (step.kind === 'load') await loader.loadOnce()
          else if (step.kind === 'clean') await dropLoadedClicks(postgres, Date.now(), 0)
          else {
            doomed = step.step
            await loader.loadOnce().catch(() => undefined)
            doomed = undefined
            loader = open()
          }
        }
        await drain(open())
        expect(await loadedIds()).toEqual(idsOf(clicks))
      },
    ),
    { numRuns: fuzzRuns(4) },
  )
}, 240_000)

test("'data to' is never later than the loaded clicks [REP-10][TRK-03]", async () => {
  const writer = await openWriter()
  const loader = createClickLoader(postgres, clickhouse, { batchSize: 5 })
  await record(
    writer,
    Array.from({ length: 12 }, () => makeClick(Date.now())),
  )
  expect((await loader.loadOnce()).dataTo).toBeUndefined()
  await drain(loader)
  const before = Date.now()
  const { dataTo } = await loader.loadOnce()
  expect(dataTo).toBeGreaterThanOrEqual(before - 50)
  expect(dataTo).toBeLessThanOrEqual(Date.now() + 50)
})
