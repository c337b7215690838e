// Measures the statements of a ClickHouse client by kind, and adds them to the trace of the request or job that sends them.

import { Gauge, Histogram, type Registry } from 'prom-client'
import { currentScope, type StatementKind } from '../lib/statement-scope.ts'
import { inStatementSpan } from '../lib/tracing.ts'
import { type Clickhouse, completeClient } from './client.ts'

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

  function begin(kind: QueryKind): (outcome: 'done' | 'failed') => void {
    const began = performance.now()
    running.inc({ kind })
    return (outcome) => {
      running.dec({ kind })
      seconds.observe({ kind, outcome }, (performance.now() - began) / 1000)
    }
  }

  async function measure<T>(kind: QueryKind, statement: string, run: () => Promise<T>): Promise<T> {
    const end = begin(kind)
    try {
      const result = await inStatementSpan('clickhouse', statement, run)
      end('done')
      return result
    } catch (error) {
      end('failed')
      throw error
    }
  }

  async function* measureStream<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
    const end = begin('export')
    let outcome: 'done' | 'failed' = 'failed'
    try {
      yield* rows
      outcome = 'done'
    } finally {
      end(outcome)
    }
  }

  const readKind = (): QueryKind => READS[currentScope().kind]
  return completeClient({
    ...client,
    table: (sql, params, options) => measure(readKind(), sql, () => client.table(sql, params, options)),
    queryStream: <T extends object>(...query: Parameters<Clickhouse['queryStream']>) =>
      measureStream(client.queryStream<T>(...query)),
    exec: (sql, params, options) => measure('change', sql, () => client.exec(sql, params, options)),
    insertText: (table, columns, format, text, options) =>
      measure('insert', `insert into ${table}`, () => client.insertText(table, columns, format, text, options)),
    exportTo: (path, select, options) => measure('background', select, () => client.exportTo(path, select, options)),
    importFrom: (path, table, columns, options) =>
      measure('insert', `insert into ${table}`, () => client.importFrom(path, table, columns, options)),
  })
}
