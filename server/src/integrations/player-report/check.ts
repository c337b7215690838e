// Checks a staged report: errors reject it, warnings are logged. Both name their line.

import type { MessageKey } from '@tributary/contract/words/messages'
import type { PoolClient } from 'pg'
import { ERROR_CAP, type ReportIssue, ReportRejection } from './reader-messages.ts'
import { CONTRADICTIONS } from './repeated-lines.ts'

interface Check {
  readonly key: MessageKey
  readonly column: string
  /** Lines with `line` and `value`. */
  readonly sql: string
}

/** Without a known currency amounts would be guessed; without an advertiser a player cannot be identified. */
const ERRORS: readonly Check[] = [
  {
    key: 'import_currency_unknown',
    column: 'currency',
    sql: 'select s.line, s.currency as value from staged_row s join staged_currency c on c.written = lower(s.currency) where c.id is null',
  },
  {
    key: 'import_advertiser_unknown',
    column: 'advertiser',
    sql: 'select s.line, s.advertiser as value from staged_row s join staged_advertiser a on a.written = lower(s.advertiser) where a.id is null',
  },
  {
    key: 'import_advertiser_absent',
    column: 'advertiser',
    sql: 'select line, outer_id as value from entry where advertiser_id is null and advertiser is null',
  },
]

/** Throws ReportRejection with the first errors, if there are any. */
export async function rejectOnErrors(client: PoolClient): Promise<void> {
  const issues: ReportIssue[] = []
  for (const { key, column, sql } of ERRORS) {
    const { rows } = await client.query<{ line: number; value: string }>(`${sql} order by line limit ${ERROR_CAP}`)
    issues.push(...rows.map(({ line, value }) => ({ line, column, key, value })))
  }
  if (issues.length > 0) throw new ReportRejection(issues.sort((a, b) => a.line - b.line).slice(0, ERROR_CAP))
}

const WARNINGS: readonly Check[] = [
  {
    key: 'import_repeated',
    column: 'outer_id',
    sql: 'select s.line, s.outer_id as value from staged_row s where not exists (select from entry e where e.line = s.line)',
  },
  {
    key: 'import_country_unknown',
    column: 'country',
    sql: 'select s.line, s.country as value from staged_row s join staged_country c on c.written = lower(s.country) where c.id is null',
  },
]

/** Warnings for reports with a column of clicks. */
const CLICK_WARNINGS: readonly Check[] = [
  {
    key: 'import_click_absent',
    column: 'click_id',
    sql: "select line, '' as value from entry where click_id is null",
  },
  {
    key: 'import_click_unknown',
    column: 'click_id',
    sql: 'select line, click_id as value from entry where click_id is not null and found_click is null',
  },
  {
    key: 'import_click_foreign',
    column: 'click_id',
    sql: `select e.line, e.click_id as value from entry e join found_click c on c.id = e.found_click
      where c.advertiser_id <> e.advertiser_id`,
  },
]

/** Creates the table of warnings; returns their number. */
export async function gatherWarnings(client: PoolClient, hasClicks: boolean): Promise<number> {
  await client.query('create index on entry (line)')
  await client.query('create temp table warning (line int, column_name text, key text, value text) on commit drop')
  for (const { key, column, sql } of hasClicks ? [...WARNINGS, ...CLICK_WARNINGS] : WARNINGS) {
    await client.query(`insert into warning select line, '${column}', '${key}', value from (${sql}) as found`)
  }
  const contradiction: MessageKey = 'import_contradiction'
  await client.query(
    `insert into warning select line, column_name, '${contradiction}', value from (${CONTRADICTIONS}) as found`,
  )
  const { rows } = await client.query<{ total: number }>('select count(*) as total from warning')
  return rows[0]?.total ?? 0
}

const AT_ONCE = 5000

/** Yields the warnings in the order of lines. */
export async function* readWarnings(client: PoolClient): AsyncGenerator<ReportIssue[]> {
  await client.query(
    'declare warnings no scroll cursor for select line, column_name, key, value from warning order by line, key, column_name',
  )
  for (;;) {
    const { rows } = await client.query<{ line: number; column_name: string; key: MessageKey; value: string }>(
      `fetch ${AT_ONCE} from warnings`,
    )
    if (rows.length === 0) break
    yield rows.map(({ line, column_name, key, value }) => ({ line, column: column_name, key, value }))
  }
  await client.query('close warnings')
}
