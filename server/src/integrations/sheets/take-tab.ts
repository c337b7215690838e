// Takes a tab into the record: its spends and the log of the parse in one transaction, whole or not at all. Other sources are never touched.

import { spreadsheetIdOf } from '@tributary/contract/spreadsheet-id'
import type { PoolClient } from 'pg'
import type { Postgres } from '../../postgres/client.ts'
import type { Grid } from './grid.ts'
import { type ParseResult, writeResult } from './parse-result.ts'
import { keyOfCell, type Placed, type PlacedCell } from './place-cells.ts'
import { cellsToJudge, type KnownSpend, planTake, type TakeInput, type TakePlan, type Verdict } from './plan-take.ts'
import { type SheetWarning, warningAt } from './sheet-warning.ts'

/** A cell with the partner offer that its spend has so far. */
export interface JudgedCell {
  readonly cell: PlacedCell
  readonly offerPartner: number | null
  readonly isNew: boolean
}

/** The rules of spends: the same for every source. */
export type Judge = (cells: readonly JudgedCell[]) => Promise<ReadonlyMap<string, Verdict>>

export interface TabToTake {
  readonly grid: Pick<Grid, 'title' | 'id'>
  readonly placed: Placed
  readonly partner: number
  readonly file: string
  /** 'YYYY-MM' */
  readonly month: string
  readonly takesRemovals: boolean
  readonly startedBy: number | null
  readonly requestId: string
}

const KNOWN = `select s.id, s.stream_id as stream, s.country_id as country, s.site_id as site, s.date, s.sum, s.currency_id as currency,
    s.source, s.claim_sum as claim, s.claim_currency_id as "claimCurrency", s.active as "isActive", s.offer_partner_id as "offerPartner", s.sheet_file as file
  from partner_spend s join partner_stream t on t.id = s.stream_id
  where t.partner_id = $1 and s.date >= $2::date and s.date < $2::date + interval '1 month'
  order by s.id`

const readKnown = async (
  db: Pick<PoolClient, 'query'> | Pick<Postgres['pool'], 'query'>,
  { partner, month }: TabToTake,
  lock = '',
): Promise<KnownSpend[]> => (await db.query(`${KNOWN} ${lock}`, [partner, `${month}-01`])).rows as KnownSpend[]

/** The files that the clock parses: of each group, else the partner's own. */
const FILES = `select coalesce(nullif(trim(m.spend_spreadsheet_id), ''), p.spend_spreadsheet_id) as file
  from partner p left join partner_partner_group m on m.partner_id = p.id and m.active where p.id = $1`

interface JudgedTab {
  readonly given: Omit<TakeInput, 'known' | 'verdicts' | 'takesRemovals'>
  readonly verdicts: TakeInput['verdicts']
  /** The spends of the month before the tab is taken. */
  readonly before: readonly KnownSpend[]
}

/** Judges the new and changed cells of the tab, before its transaction begins. */
async function judgeTab(postgres: Postgres, tab: TabToTake, judge: Judge): Promise<JudgedTab> {
  const { rows } = await postgres.pool.query<{ file: string | null }>(FILES, [tab.partner])
  const others = new Set(rows.flatMap(({ file }) => spreadsheetIdOf(file) ?? []))
  others.delete(tab.file)
  const { grid, file, placed } = tab
  const { rows: named } = await postgres.pool.query<{ id: number; value: string }>('select id, value from currency')
  const currencies = new Map(named.map(({ id, value }) => [id, value]))
  const given = { grid, file, otherFiles: others, placed, currencies }
  const before = await readKnown(postgres.pool, tab)
  const spendByCell = new Map(before.map((spend) => [keyOfCell(spend), spend]))
  const judged = cellsToJudge({ ...given, known: before }).map((cell): JudgedCell => {
    const spend = spendByCell.get(keyOfCell(cell))
    return { cell, offerPartner: spend?.offerPartner ?? null, isNew: spend === undefined }
  })
  return { given, verdicts: await judge(judged), before }
}

/** What `takeTab` would write now; nothing is written. */
export async function previewTab(
  postgres: Postgres,
  tab: TabToTake,
  result: ParseResult,
  judge: Judge,
): Promise<ParseResult> {
  const { given, verdicts, before } = await judgeTab(postgres, tab, judge)
  if (await hasClose(postgres.pool, tab)) return skipped(result, tab)
  const plan = planTake({ ...given, known: before, verdicts, takesRemovals: tab.takesRemovals })
  return resultOf(result, plan, tab.placed.warnings)
}

/** `result`: what the log says of the parse so far. Returns it as it was written. */
export async function takeTab(
  postgres: Postgres,
  tab: TabToTake,
  result: ParseResult,
  judge: Judge,
): Promise<ParseResult> {
  const { given, verdicts } = await judgeTab(postgres, tab, judge)
  const { placed, takesRemovals } = tab
  const take = async (client: PoolClient): Promise<ParseResult> => {
    const known = await readKnown(client, tab, 'for no key update of s')
    const plan = planTake({ ...given, known, verdicts, takesRemovals })
    await write(client, plan, tab)
    return resultOf(result, plan, placed.warnings)
  }
  return postgres.withClient(async (client) => {
    await client.query('begin')
    await client.query(
      `select set_config('tributary.cause', 'sheet', true), set_config('tributary.actor', $1, true), set_config('tributary.request', $2, true)`,
      [String(tab.startedBy ?? ''), tab.requestId],
    )
    // Waits for a close that is being written, so that a tab is either part of the close or skipped.
    await client.query("select pg_advisory_xact_lock_shared(hashtext('period_close'))")
    const end = (await hasClose(client, tab)) ? skipped(result, tab) : await take(client)
    await writeResult(client, end)
    await client.query('commit')
    return end
  })
}

async function hasClose(db: PoolClient | Postgres['pool'], { partner, month }: TabToTake): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from period_close_partner where partner_id = $1 and month = $2 and reopened_at is null',
    [partner, month],
  )
  return rowCount !== 0
}

const skipped = (result: ParseResult, { grid, month }: TabToTake): ParseResult => ({
  ...result,
  warnings: [warningAt(grid, null, 'sheet_month_closed', { month })],
})

function resultOf(result: ParseResult, plan: TakePlan, placing: readonly SheetWarning[]): ParseResult {
  const changed = plan.added.length + plan.changed.length
  return {
    ...result,
    rowsTaken: changed + plan.unchanged,
    rowsChanged: changed,
    rowsRemoved: plan.removed.length + plan.released.length,
    rowsUnchanged: plan.unchanged,
    warnings: [...result.warnings, ...placing, ...plan.warnings],
  }
}

const FIELDS = `jsonb_build_object('stream', s.stream_id, 'site_id', s.site_id, 'country', s.country_id, 'date', s.date, 'sum', s.sum::text,
  'currency', s.currency_id, 'source', s.source, 'offer_partner', s.offer_partner_id)`
/** What the audit log says of rows before a change. */
const BEFORE = `select s.id, ${FIELDS} as was from partner_spend s`
const AUDIT = `insert into audit_log (user_id, action, entity, entity_id, before, after, request_id, cause)
  select nullif(current_setting('tributary.actor'), '')::int`
const AUDIT_END = `nullif(current_setting('tributary.request'), ''), current_setting('tributary.cause')`

const ADD = `with s as (
    insert into partner_spend (stream_id, country_id, site_id, date, sum, currency_id, source, sheet_file, offer_partner_id)
    select stream, country, site, date, sum, currency, 'sheet', $2, "offerPartner"
    from jsonb_to_recordset($1) as t (stream int, country int, site text, date date, sum numeric, currency int, "offerPartner" int)
    returning *)
  ${AUDIT}, 'create', 'partner_spend', s.id, null, ${FIELDS}, ${AUDIT_END} from s`

const CHANGE = `with given as (select * from jsonb_to_recordset($1) as t (id bigint, sum numeric, currency int, "offerPartner" int)),
    before as (${BEFORE} join given using (id)),
    s as (update partner_spend p set sum = given.sum, currency_id = given.currency, source = 'sheet', sheet_file = $2, offer_partner_id = given."offerPartner"
      from given where p.id = given.id returning p.*)
  ${AUDIT}, 'update', 'partner_spend', s.id, before.was, ${FIELDS}, ${AUDIT_END} from s join before using (id)`

const REMOVE = `with s as (delete from partner_spend where id = any($1) returning *)
  ${AUDIT}, 'delete', 'partner_spend', s.id, ${FIELDS}, null, ${AUDIT_END} from s`

const RELEASE = `with before as (${BEFORE} where s.id = any($1)),
    s as (update partner_spend set sum = null, source = 'manual', sheet_file = null where id = any($1) returning *)
  ${AUDIT}, 'update', 'partner_spend', s.id, before.was, ${FIELDS}, ${AUDIT_END} from s join before using (id)`

async function write(client: PoolClient, plan: TakePlan, { file }: TabToTake): Promise<void> {
  const { added, changed, removed, released, adopted } = plan
  // First, because a day's spend may move from one site to another.
  if (removed.length > 0) await client.query(REMOVE, [removed])
  if (released.length > 0) await client.query(RELEASE, [released])
  if (changed.length > 0) await client.query(CHANGE, [JSON.stringify(changed), file])
  if (added.length > 0) await client.query(ADD, [JSON.stringify(added), file])
  if (adopted.length > 0)
    await client.query('update partner_spend set sheet_file = $2 where id = any($1)', [adopted, file])
}
