// What the causes of a ledger entry changed, as the audit log has it: each record with its fields before and after.
import type { CauseChange } from '@tributary/contract/calls/period-close'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { sql } from 'kysely'
import { type AuditRow, describeHistory, readActs } from '../entities/engine/audit/history.ts'
import { readRecordNames } from '../entities/engine/audit/record-name.ts'
import { entityNamed } from '../entities/engine/model/model.ts'
import { type Db, mayView, type RequestContext } from '../entities/engine/model/request-context.ts'
import type { Cause } from './causes.ts'

/** Maximum number of changes shown for a cause. */
const CHANGES_SHOWN = 5

/** Causes of earlier versions name no records. */
export type StoredCause = Omit<Cause, 'records'> & Partial<Pick<Cause, 'records'>>

/** The causes of a ledger entry. */
export async function readCauses(db: Db, entry: number): Promise<readonly StoredCause[]> {
  const { rows } = await sql<{
    causes: readonly StoredCause[] | null
  }>`select causes from ledger_entry where id = ${entry}`.execute(db)
  return rows[0]?.causes ?? []
}

/** In the order of the causes. Changes that the caller may not view are left out. */
export async function readCauseChanges(
  db: Db,
  context: RequestContext,
  causes: readonly StoredCause[],
): Promise<CauseChange[][]> {
  const changes: CauseChange[][] = []
  for (const cause of causes) {
    const records = await recordsOf(db, cause)
    const act = { cause: cause.cause, userId: cause.user === 0 ? null : cause.user, until: cause.at, records }
    const acts = await readActs(db, act, CHANGES_SHOWN)
    const playerOf = new Map(acts.map((row) => [row.id, findPlayer(row, records)]))
    const described = await describeHistory(db, context, acts)
    changes.push(described.map((change) => ({ ...change, player: playerOf.get(change.id) ?? null })))
  }
  return changes
}

/** The names of the causes' players and spends, also of deleted ones. */
export async function nameRecords(
  db: Db,
  context: RequestContext,
  causes: readonly StoredCause[],
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
  return records.map((record, index) => ({ ...record, title: names.get(index) ?? `№ ${record.id}` }))
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

/** Players and spends of the cause, and what advertisers reported of these players on these days. */
async function recordsOf(db: Db, { records = [] }: StoredCause): Promise<CauseRecord[]> {
  const players = records.filter(({ entity }) => entity === 'player')
  const { rows } = await sql<{ id: number; player: number }>`
    select r.id, r.player_id as player from player_report r join unnest(${players.map(({ id }) => id)}::bigint[], ${players.map(({ day }) => day)}::date[])
      as p (player, day) on r.player_id = p.player and r.report_date = p.day`.execute(db)
  return [
    ...records.map(({ entity, id }) => ({ entity, id })),
    ...rows.map(({ id, player }) => ({ entity: 'player_report', id, player })),
  ]
}
