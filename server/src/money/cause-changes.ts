// What the causes of a ledger entry changed, as the audit log has it: each record with its fields before and after.
import type { CauseChange } from '@tributary/contract/calls/period-close'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import type { LedgerCause } from '@tributary/contract/entities/ledger-entry'
import type { EntityName } from '@tributary/contract/entities/registry'
import { sql } from 'kysely'
import type { Clickhouse } from '../clickhouse/client.ts'
import { type AuditRow, describeHistory, readActs } from '../entities/engine/audit/history.ts'
import { numberedName, readRecordNames } from '../entities/engine/audit/record-name.ts'
import { entityNamed } from '../entities/engine/model/model.ts'
import { type Db, mayView, type RequestContext } from '../entities/engine/model/request-context.ts'
import { timeText } from '../facts/cause.ts'
import type { LedgerKind } from './ledger-key.ts'
import type { CauseRange } from './ledger-store.ts'

const OF_AGENCY: readonly EntityName[] = ['agency_percentage_history', 'offer_partner_agency_percentage_history']
const OF_CPA: readonly EntityName[] = [
  'offer_partner_bet_requirement_history',
  'offer_partner_bl_deposit_history',
  'offer_partner_bl_period_history',
  'offer_partner_cost_history',
  'offer_partner_country_requirement_history',
  'offer_partner_currency_history',
  'offer_partner_max_days_history',
]
/** Terms that cannot matter to a key of the kind. */
const OTHER_TERMS: Readonly<Record<LedgerKind, readonly EntityName[]>> = {
  cpa: ['offer_partner_rs_share_history', ...OF_AGENCY],
  rs: [...OF_CPA, ...OF_AGENCY],
  agency: ['offer_partner_rs_share_history', 'offer_terms_history', 'payment_model_share_history', ...OF_CPA],
}

/** Changes of other records of these kinds are no part of a cause. */
const OF_RECORDS: readonly EntityName[] = ['player', 'player_report', 'partner_spend']

/** Maximum number of changes shown for a cause. */
const CHANGES_SHOWN = 5
const REQUESTS_READ = 20

/** The causes of a ledger entry. */
export async function readCauses(db: Db, entry: number): Promise<readonly LedgerCause[]> {
  const { rows } = await sql<{
    causes: readonly LedgerCause[] | null
  }>`select causes from ledger_entry where id = ${entry}`.execute(db)
  return rows[0]?.causes ?? []
}

/** In the order of the causes. Changes that the caller may not view are left out, and those that an earlier entry of the key has booked. */
export async function readCauseChanges(
  context: RequestContext,
  causes: readonly LedgerCause[],
  range: CauseRange,
): Promise<CauseChange[][]> {
  const { postgres, clickhouse } = context.engines
  const { db } = postgres
  const concerns = await readTermOwners(db, range.offerPartner)
  const omitted = [...OTHER_TERMS[range.kind], ...OF_RECORDS]
  const named = causes.map(({ cause, user }) => ({ cause, userId: user === 0 ? null : user }))
  const shown = new Set<number>()
  const changes: CauseChange[][] = []
  for (const [index, cause] of causes.entries()) {
    const records = await recordsOf(db, cause, range)
    const requests = await readRequests(clickhouse, cause, range)
    const userId = named[index]?.userId ?? null
    const found = await readActs(
      db,
      { cause: cause.cause, userId, until: cause.at, within: range, records, named, requests, concerns, omitted },
      CHANGES_SHOWN,
    )
    const acts = found.filter(({ id }) => !shown.has(id))
    for (const { id } of acts) shown.add(id)
    const playerOf = new Map(acts.map((row) => [row.id, findPlayer(row, records)]))
    const described = await describeHistory(db, context, acts)
    changes.push(described.map((change) => ({ ...change, player: playerOf.get(change.id) ?? null })))
  }
  return changes
}

/** The records that the terms of the partner offer belong to. */
async function readTermOwners(db: Db, offerPartner: number): Promise<{ entity: string; id: number }[]> {
  const { rows } = await sql<{
    offer: number
  }>`select offer_id as offer from offer_partner where id = ${offerPartner}`.execute(db)
  return [{ entity: 'offer_partner', id: offerPartner }, ...rows.map(({ offer }) => ({ entity: 'offer', id: offer }))]
}

/** Ids of the requests that changed the cause's players and spends; jobs have none. */
async function readRequests(
  clickhouse: Clickhouse,
  { cause, user, records = [] }: LedgerCause,
  { since, until }: CauseRange,
): Promise<string[]> {
  const idsOf = (wanted: string) => records.flatMap(({ entity, id }) => (entity === wanted ? [id] : []))
  const isCaused = `cause = {cause:String} and actor_id = {user:UInt32} and request_id != ''
    and known_at > {from:DateTime64(3)} and known_at <= {to:DateTime64(3)}`
  const rows = await clickhouse.query<{ request: string }>(
    `select distinct request from (
  select toString(request_id) as request from activity_fact_log where player_id in {players:Array(UInt32)} and ${isCaused}
  union all
  select toString(request_id) from spend_fact_log where spend_id in {spends:Array(UInt32)} and ${isCaused}
) limit ${REQUESTS_READ}`,
    {
      players: idsOf('player'),
      spends: idsOf('partner_spend'),
      cause,
      user,
      from: timeText((since ?? new Date(0)).getTime()),
      to: timeText(until.getTime()),
    },
    { lane: 'long' },
  )
  return rows.map(({ request }) => request)
}

/** The names of the causes' players and spends, also of deleted ones. */
export async function nameRecords(
  db: Db,
  context: RequestContext,
  causes: readonly LedgerCause[],
): Promise<AnswerOf<'ledger_entry_changes'>['records']> {
  const found = new Map(
    causes.flatMap(({ records = [] }) => records.map(({ entity, id }) => [`${entity} ${id}`, { entity, id }] as const)),
  )
  const records = [...found.values()].filter(({ entity }) => mayView(context, entityNamed(entity)))
  const entries = records.map(({ entity, id }, index) => ({
    id: index,
    entity,
    entity_id: id,
    before: null,
    after: null,
  }))
  const names = await readRecordNames(db, context, entries)
  return records.map((record, index) => ({ ...record, title: names.get(index) ?? numberedName(context, record.id) }))
}

/** The changed player, or that of a changed player report. */
function findPlayer({ entity, entity_id, before, after }: AuditRow, records: readonly CauseRecord[]): number | null {
  if (entity === 'player') return entity_id
  if (entity !== 'player_report') return null
  const stored = (after ?? before)?.player
  if (typeof stored === 'number') return stored
  return records.find((record) => record.entity === entity && record.id === entity_id)?.player ?? null
}

interface CauseRecord {
  readonly entity: string
  readonly id: number
  /** Of a player report. */
  readonly player?: number
}

/** Players and spends of the cause, and what advertisers reported of these players on these days, deleted reports included. */
async function recordsOf(db: Db, { records = [] }: LedgerCause, { since }: CauseRange): Promise<CauseRecord[]> {
  const players = records.filter(({ entity }) => entity === 'player')
  const { rows } = await sql<{ id: number; player: number }>`
    with given as (select * from unnest(${players.map(({ id }) => id)}::bigint[], ${players.map(({ day }) => day)}::date[]) as p (player, day))
    select r.id, r.player_id as player from player_report r join given p on r.player_id = p.player and r.report_date = p.day
    union
    select a.entity_id, p.player from audit_log a
      join given p on (a.before ->> 'player')::bigint = p.player and (a.before ->> 'report_date')::date = p.day
      where a.action = 'delete' and a.entity = 'player_report' and a.at > ${since ?? new Date(0)}`.execute(db)
  return [
    ...records.map(({ entity, id }) => ({ entity, id })),
    ...rows.map(({ id, player }) => ({ entity: 'player_report', id, player })),
  ]
}
