// Measures the statements of a ClickHouse client by kind, and adds them to the trace of the request or job that sends them.

import { Gauge, Histogram, type Registry } from 'prom-client'
import { currentScope, type StatementKind } from '../lib/statement-scope.ts'
import { inStatementSpan } from '../lib/tracing.ts'
import { type Clickhouse, completeClient } from './client.ts'

/** `cancelled`: the caller left before the end. */
type Outcome = 'done' | 'failed' | 'cancelled'

type QueryKind = 'report' | 'list' | 'export' | 'job' | 'background' | 'insert' | 'change'

/** What a read is for. Reports, checks and single numbers of a request count as `report`. */
const READS: Readonly<Record<StatementKind, QueryKind>> = {
  list: 'list',
  lookup: 'list',
  request: 'report',
  report: 'report',
  export: 'export',
  job: 'job',
  queue: 'job',
  background: 'background',
  clicks: 'background',
  facts: 'background',
  migration: 'background',
}

export function measureClickhouse(client: Clickhouse, metrics: Registry): Clickhouse {
  const seconds = new Histogram({
    name: 'tributary_clickhouse_query_seconds',
    help: 'Time of a statement in ClickHouse, with its wait for a free session, by kind',
    labelNames: ['kind', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers: [metrics],
  })
  const running = new Gauge({
    name: 'tributary_clickhouse_queries',
    help: 'Statements that run in ClickHouse or wait for a session, by kind',
    labelNames: ['kind'],
    registers: [metrics],
  })

  function begin(kind: QueryKind): (outcome: Outcome) => void {
    const began = performance.now()
    running.inc({ kind })
    return (outcome) => {
      running.dec({ kind })
      seconds.observe({ kind, outcome }, (performance.now() - began) / 1000)
    }
  }

  async function measure<T>(
    kind: QueryKind,
    statement: string,
    run: () => Promise<T>,
    signal = currentScope().signal,
  ): Promise<T> {
    const end = begin(kind)
    try {
      const result = await inStatementSpan('clickhouse', statement, run)
      end('done')
      return result
    } catch (error) {
      end(signal?.aborted === true ? 'cancelled' : 'failed')
      throw error
    }
  }

  async function* measureStream<T>(rows: AsyncIterable<T>, signal = currentScope().signal): AsyncGenerator<T> {
    const end = begin('export')
    // When a reader stops early, only `finally` runs.
    let outcome: Outcome = 'cancelled'
    try {
      yield* rows
      outcome = 'done'
    } catch (error) {
      if (signal?.aborted !== true) outcome = 'failed'
      throw error
    } finally {
      end(outcome)
    }
  }

  const readKind = (): QueryKind => READS[currentScope().kind]
  return completeClient({
    ...client,
    table: (sql, params, options) =>
      measure(readKind(), sql, () => client.table(sql, params, options), options?.signal),
    queryStream: <T extends object>(...query: Parameters<Clickhouse['queryStream']>) =>
      measureStream(client.queryStream<T>(...query), query[2]?.signal),
    exec: (sql, params, options) => measure('change', sql, () => client.exec(sql, params, options)),
    insertText: (table, columns, format, text, options) =>
      measure('insert', `insert into ${table}`, () => client.insertText(table, columns, format, text, options)),
    exportTo: (path, select, options) => measure('background', select, () => client.exportTo(path, select, options)),
    importFrom: (path, table, columns, options) =>
      measure('insert', `insert into ${table}`, () => client.importFrom(path, table, columns, options)),
  })
}
