// The embedded ClickHouse: a statement must not affect another, and long work must not block short work.

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../src/lib/app-error.ts'
import { openTestClickhouse } from '../support/harness.ts'

const clickhouse = openTestClickhouse()
/** Occupies a core until it is stopped. */
const ENDLESS = 'select count() as n from numbers(1000000000000) where sipHash64(number) = 1'

describe('values', () => {
  test('parameters reach the engine as they are, whatever they contain [SYS-02]', async () => {
    const texts = [
      "it's",
      'back\\slash',
      "\\'; drop table x; --",
      'tab\tnew\nline\r\0',
      '{x:String}',
      'ё✓😀',
      '\\N',
      '',
    ]
    for (const text of texts) {
      const sql = 'select {text:String} as text, {list:Array(String)} as list'
      const [row] = await clickhouse.query<{ text: string; list: string[] }>(sql, { text, list: [text, text] })
      expect(row).toEqual({ text, list: [text, text] })
    }
  })

  test('numbers, decimals, dates and null keep their exact form', async () => {
    const sql = `select {id:UInt64} as id, {price:Decimal(18,4)} as price, {none:Nullable(UInt32)} as none, {at:DateTime64(3)} as at,
      {day:Date} as day, {ids:Array(UInt32)} as ids, toDecimal64('0.10', 2) as ten`
    const params = {
      id: 2 ** 40,
      price: '12345678901234.5678',
      none: null,
      at: new Date('2026-03-01T10:00:00.123Z'),
      day: '2026-03-01',
      ids: [1, 2],
    }
    const [row] = await clickhouse.query(sql, params)
    expect(row).toEqual({
      id: 2 ** 40,
      price: '12345678901234.5678',
      none: null,
      at: '2026-03-01 10:00:00.123',
      day: '2026-03-01',
      ids: [1, 2],
      ten: '0.1',
    })
  })

  test('a placeholder without a value is rejected and never gets the value of an earlier query', async () => {
    await Promise.all([1, 2, 3, 4].map((partner) => clickhouse.query('select {partner:UInt32} as p', { partner })))
    await expect(clickhouse.query('select {partner:UInt32} as p')).rejects.toThrow('no value for {partner}')
    await expect(clickhouse.query('select {partner:UInt32} as p', { partner: undefined })).rejects.toThrow('no value')
  })

  test('parallel queries never mix up their parameters', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, async (_, n) => {
        const [row] = await clickhouse.query<{ n: number; t: string }>('select {n:UInt32} as n, {t:String} as t', {
          n,
          t: `text ${n}`,
        })
        return row?.n === n && row.t === `text ${n}`
      }),
    )
    expect(answers.every(Boolean)).toBe(true)
  })

  test('filters of 20,000 ids and of 20,000 uuids work', async () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => 1_000_000_000 + index)
    const uuids = ids.map(() => crypto.randomUUID())
    const sql =
      'select length({ids:Array(UInt32)}) as n, length({uuids:Array(UUID)}) as u, has({ids:Array(UInt32)}, 1000000005) as h'
    expect(await clickhouse.query(sql, { ids, uuids })).toEqual([{ n: 20_000, u: 20_000, h: 1 }])
  })
})

describe('failures', () => {
  test('the rows of a query that fails while running never reach the next one', async () => {
    const failing = 'select number as secret, throwIf(number = 900000) as t from numbers(1000000)'
    for (let round = 0; round < 8; round++) {
      const failed = clickhouse.query(failing, {}, { settings: { max_block_size: 1000, max_threads: 1 } })
      await expect(failed).rejects.toThrow()
      expect(await clickhouse.query('select 1 as mine')).toEqual([{ mine: 1 }])
    }
    const rows = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        n % 3 === 0 ? clickhouse.query(failing).catch(() => []) : clickhouse.query('select {n:UInt32} as n', { n }),
      ),
    )
    for (const [n, answer] of rows.entries()) expect(answer).toEqual(n % 3 === 0 ? [] : [{ n }])
  })

  test('a stream that fails or is aborted leaves nothing behind', async () => {
    const failing = clickhouse.queryStream('select number, throwIf(number = 500000) as t from numbers(1000000)')
    await expect(Array.fromAsync(failing)).rejects.toThrow()
    for await (const _row of clickhouse.queryStream('select number as other from numbers(10000000)')) break
    const answers = await Promise.all([1, 2, 3, 4].map((n) => clickhouse.query('select {n:UInt8} as n', { n })))
    expect(answers).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }], [{ n: 4 }]])
  })

  test('settings of one query do not apply to the next', async () => {
    const sql = "select getSetting('max_threads') as n"
    const [before] = await clickhouse.query(sql)
    expect(await clickhouse.query(sql, {}, { settings: { max_threads: 1 } })).toEqual([{ n: 1 }])
    for (let round = 0; round < 4; round++) expect(await clickhouse.query(sql)).toEqual([before])
  })

  test('a query past its limit is a time-out, and the session works again', async () => {
    const failure = await clickhouse
      .query(ENDLESS, {}, { maxSeconds: 1, lane: 'long' })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(AppError)
    expect(failure).toMatchObject({ code: 'timeout' })
    expect(await clickhouse.query('select 1 as n')).toEqual([{ n: 1 }])
  })

  test('a statement beyond its memory limit is an error, and the session works again [REP-12]', async () => {
    const large = 'select groupArray(toString(number)) as list from numbers(3000000)'
    const settings = { max_memory_usage: 10_000_000 }
    await expect(clickhouse.query(large, {}, { settings })).rejects.toMatchObject({
      name: 'AppError',
      code: 'too_large',
    })
    expect(await clickhouse.query('select 1 as n')).toEqual([{ n: 1 }])
  })

  test('an abort ends running queries: their sessions work again long before the limit [REP-12]', async () => {
    const running = async (): Promise<unknown[]> =>
      (
        await clickhouse.table(
          "select 1 from system.processes where query like '%sipHash64%' and query not like '%processes%'",
        )
      ).rows
    const leaving = new AbortController()
    const options = { maxSeconds: 60, signal: leaving.signal, lane: 'long' } as const
    const aborted = Promise.allSettled([
      clickhouse.query(ENDLESS, {}, options),
      Array.fromAsync(clickhouse.queryStream(ENDLESS, {}, options)),
    ])
    const next = clickhouse.query('select 2 as n', {}, { lane: 'long' })
    await expect.poll(running, { timeout: 20_000 }).toHaveLength(2)
    const at = performance.now()
    leaving.abort(new Error('gone'))
    for (const result of await aborted) expect(result).toMatchObject({ status: 'rejected', reason: new Error('gone') })
    // Not by their time limit of a minute.
    expect(performance.now() - at).toBeLessThan(30_000)
    // Both sessions of the lane were busy.
    expect(await next).toEqual([{ n: 2 }])
    await expect.poll(running, { timeout: 20_000 }).toHaveLength(0)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => clickhouse.query('select {n:UInt8} as n', { n })))
    expect(answers).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }], [{ n: 4 }]])
  })

  test('a query aborted before it starts ends once it has started', async () => {
    for (let round = 0; round < 5; round++) {
      const leaving = new AbortController()
      const asked = clickhouse.query(ENDLESS, {}, { maxSeconds: 60, signal: leaving.signal, lane: 'long' })
      leaving.abort(new Error('gone'))
      await expect(asked).rejects.toThrow('gone')
    }
    expect(await clickhouse.query('select 1 as n', {}, { lane: 'long' })).toEqual([{ n: 1 }])
  })

  test('an aborted query that still waits never starts', async () => {
    const busy = [1, 2].map(() => clickhouse.query(ENDLESS, {}, { maxSeconds: 1, lane: 'long' }).catch(() => undefined))
    const waiting = clickhouse.query('select 1', {}, { lane: 'long', signal: AbortSignal.timeout(50) })
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' })
    await Promise.all(busy)
  })

  test('an error of a statement has its code', async () => {
    await expect(clickhouse.query('select nothing_like_this')).rejects.toMatchObject({
      name: 'ClickhouseError',
      code: 47,
    })
    await expect(clickhouse.query('selec 1')).rejects.toMatchObject({ code: 62 })
  })
})

describe('lanes', () => {
  test('short queries and writes do not wait behind long ones', async () => {
    let finished = 0
    const leaving = new AbortController()
    const long = Array.from({ length: 4 }, () =>
      clickhouse.query(ENDLESS, {}, { maxSeconds: 60, signal: leaving.signal, lane: 'long' }).catch(() => {
        finished += 1
      }),
    )
    await sleep(50)
    await clickhouse.query('select {n:UInt8} as n', { n: 1 })
    await clickhouse.exec('create table if not exists lane (a UInt8) engine = MergeTree order by a')
    await clickhouse.insert('lane', ['a'], [[1]])
    expect(finished).toBe(0)
    leaving.abort()
    await Promise.all(long)
  })
})

describe('writing and streaming', () => {
  test('50,000 rows are inserted at once and read exactly, as table, objects and stream', async () => {
    await clickhouse.exec(
      'create table bulk (id UUID, n UInt32, price Decimal(18,4), t String, at DateTime64(3)) engine = MergeTree order by n',
    )
    const rows = Array.from({ length: 50_000 }, (_, n) => [
      crypto.randomUUID(),
      n,
      '1.2500',
      `a\t"${n}"\n\\`,
      '2026-01-01 00:00:00.123',
    ])
    await clickhouse.insert('bulk', ['id', 'n', 'price', 't', 'at'], rows)
    const expected = rows.map(([id, n, , t, at]) => [id, n, '1.25', t, at])
    const { columns, rows: back } = await clickhouse.table('select * from bulk order by n')
    expect(columns).toEqual(['id', 'n', 'price', 't', 'at'])
    expect(back).toEqual(expected)
    let count = 0
    for await (const row of clickhouse.queryStream<{ n: number; t: string }>(
      'select n, t from bulk where n < {n:UInt32} order by n',
      { n: 20_000 },
    )) {
      expect(row).toEqual({ n: count, t: `a\t"${count}"\n\\` })
      count++
    }
    expect(count).toBe(20_000)
  })

  test('a stream keeps whole numbers and texts, wherever it is split [SYS-02]', async () => {
    const sql = `select number as n, repeat('ё✓😀', number % 40) as t, toUInt64(18446744073709551615 - number) as most,
      [toInt64(-9007199254740993), toInt64(number)] as list, '1234567890123456789' as digits from numbers(20000)`
    let n = 0
    for await (const row of clickhouse.queryStream(sql)) {
      expect(row).toEqual({
        n,
        t: 'ё✓😀'.repeat(n % 40),
        most: 18446744073709551615n - BigInt(n),
        list: [-9007199254740993n, n],
        digits: '1234567890123456789',
      })
      n++
    }
    expect(n).toBe(20_000)
  })

  test('text of PostgreSQL COPY is inserted as it is; empty text inserts nothing', async () => {
    await clickhouse.exec('create table copied (a UInt32, b Nullable(String)) engine = MergeTree order by a')
    await clickhouse.insertText('copied', ['a', 'b'], 'TabSeparated', '1\tx\\ty\n2\t\\N\n')
    await clickhouse.insertText('copied', ['a', 'b'], 'TabSeparated', '')
    await clickhouse.insert('copied', ['a', 'b'], [])
    expect(await clickhouse.query('select * from copied order by a')).toEqual([
      { a: 1, b: 'x\ty' },
      { a: 2, b: null },
    ])
  })

  test('a failed insert leaves nothing, and the next one works', async () => {
    await clickhouse.exec('create table strict (a UInt32) engine = MergeTree order by a')
    await expect(clickhouse.insert('strict', ['a'], [[1], ['not a number']])).rejects.toThrow()
    await clickhouse.insert('strict', ['a'], [[2]])
    expect(await clickhouse.query('select a from strict')).toEqual([{ a: 2 }])
  })

  test('a stream starts before the engine has finished', async () => {
    const started = performance.now()
    for await (const row of clickhouse.queryStream('select number, sleepEachRow(0.00002) from numbers(3000000)')) {
      expect(row).toBeDefined()
      break
    }
    // The whole of it takes a minute.
    expect(performance.now() - started).toBeLessThan(30_000)
  })

  test('names of tables and columns are quoted', async () => {
    await expect(clickhouse.insert('x; drop table y', ['a'], [[1]])).rejects.toThrow('is not a name')
    await expect(clickhouse.query('select 1', {}, { settings: { 'a = 1, b': 1 } })).rejects.toThrow('is not a name')
  })
})
