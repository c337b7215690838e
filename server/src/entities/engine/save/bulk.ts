// Changes the selected rows of a list, each with the rules, audit and scope of a single change. Failed rows stay unchanged and are reported.
// Each portion is a transaction of its own, so that locks are short and an aborted call can be repeated.

import type { Entity } from '@tributary/contract/entity'
import type { Language } from '@tributary/contract/language'
import { BULK_CAP, BULK_JOB, type BulkAnswer, type Selection } from '@tributary/contract/selection'
import type { Issue } from '@tributary/contract/validate'
import { say } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import { AppError } from '../../../lib/app-error.ts'
import { readSelection } from '../list/params.ts'
import { compileWhere } from '../list/where.ts'
import { column, type Fragment, tableOf, typed } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'
import { createProgressPublisher } from '../progress-publisher.ts'
import { titleOf } from '../read/select-list.ts'
import { changeRecord } from '../store.ts'
import { saveRow } from './save.ts'

/** Rows of one transaction. */
const PORTION = 200
/** No portion starts after this time, because the answer must arrive before clients time out. */
const START_LIMIT_MS = 60_000
/** Failed rows that the answer lists; further ones are only counted. */
const LISTED_REJECTIONS = 100

/** A row that was not changed, and why. */
export interface FailedRow {
  readonly id: number
  readonly title: string
  readonly failure: AppError
}

/** What became of each selected row. */
export interface BulkOutcome {
  readonly changed: number
  readonly unchanged: number
  /** Number of selected rows that are absent or out of scope. */
  readonly absent: number
  /** Number of rows that were not processed in time. */
  readonly left: number
  readonly rejected: number
  readonly rejections: readonly FailedRow[]
}

/** Changes one row through the store; true if it changed. An AppError below 500 fails only this row. */
export type ChangeRow = (db: Db, id: number) => Promise<boolean>

/**
 * Changes the selected rows. `cause` goes into the audit log; progress is published under the request's id. Rows that match `isDone` already
 * are skipped, so that a repeated call continues. A portion of 1 suits slow changes. Throws `invalid` above BULK_CAP rows.
 */
export async function changeSelected(
  context: RequestContext,
  entity: Entity,
  selection: Selection,
  cause: string,
  change: ChangeRow,
  isDone: Fragment = sql`false`,
  portionSize = PORTION,
): Promise<BulkOutcome> {
  const { postgres } = context.engines
  const deadline = Date.now() + START_LIMIT_MS
  const ids = await findSelected(postgres.db, context, entity, selection)
  const todo = await dropDone(postgres.db, entity, ids, isDone)
  const progress = createProgressPublisher(postgres, BULK_JOB, context)
  const rejected = new Map<number, AppError>()
  let [changed, done] = [0, 0]
  while (done < todo.length && Date.now() < deadline) {
    const portion = todo.slice(done, done + portionSize)
    const outcome = await changeTogether(context, cause, portion, change)
    changed += outcome.changed
    for (const [id, failure] of outcome.rejected) rejected.set(id, failure)
    done += portion.length
    if (todo.length > portionSize) progress.publish(done, todo.length)
  }
  await progress.settle()
  return {
    changed,
    unchanged: ids.length - todo.length + done - changed - rejected.size,
    absent: selection.exclusive ? 0 : new Set(selection.ids).size - ids.length,
    left: todo.length - done,
    rejected: rejected.size,
    rejections: await listRejections(postgres.db, entity, rejected),
  }
}

async function dropDone(db: Db, entity: Entity, ids: readonly number[], isDone: Fragment): Promise<readonly number[]> {
  const statement = sql<{
    id: number
  }>`select t.id from ${tableOf(entity)} as t where t.id = any(${typed(ids, 'bigint[]')}) and ${isDone}`
  const dropped = new Set((await statement.execute(db)).rows.map(({ id }) => id))
  return ids.filter((id) => !dropped.has(id))
}

interface PortionOutcome {
  readonly changed: number
  readonly rejected: ReadonlyMap<number, AppError>
}

/** Changes a portion at once; if a row fails, again row by row. */
async function changeTogether(
  context: RequestContext,
  cause: string,
  ids: readonly number[],
  change: ChangeRow,
): Promise<PortionOutcome> {
  try {
    return await changeRecord(context, cause, async (db) => {
      let changed = 0
      for (const id of ids) if (await change(db, id)) changed += 1
      return { changed, rejected: new Map() }
    })
  } catch (error) {
    if (!isRejection(error)) throw error
  }
  return changeRecord(context, cause, (db) => changePortion(db, ids, change))
}

const isRejection = (error: unknown): error is AppError => error instanceof AppError && error.status < 500

async function changePortion(db: Db, ids: readonly number[], change: ChangeRow): Promise<PortionOutcome> {
  const rejected = new Map<number, AppError>()
  let changed = 0
  for (const id of ids) {
    const outcome = await changeOne(db, id, change)
    if (outcome instanceof AppError) rejected.set(id, outcome)
    else if (outcome) changed += 1
  }
  return { changed, rejected }
}

/** Activates or deactivates the selected rows. */
export const activateSelected = (
  context: RequestContext,
  entity: Entity,
  selection: Selection,
  flag: 'active' | 'enabled',
  isActive: boolean,
): Promise<BulkOutcome> =>
  changeSelected(
    context,
    entity,
    selection,
    `${isActive ? 'activate' : 'deactivate'} ${entity.name}`,
    async (db, id) => {
      const { hasChanged } = await saveRow(db, context, entity, id, { [flag]: isActive })
      return hasChanged
    },
    sql`${column('t', flag)} = ${typed(isActive, 'boolean')}`,
  )

/** Visible selected ids in ascending order, in which all callers lock. Throws `invalid` above BULK_CAP rows. */
async function findSelected(db: Db, context: RequestContext, entity: Entity, selection: Selection): Promise<number[]> {
  const where = await compileWhere(db, context, entity, readSelection(selection))
  const statement = sql<{
    id: number
  }>`select t.id from ${tableOf(entity)} as t where ${where} order by t.id limit ${typed(BULK_CAP + 1, 'bigint')}`
  const { rows } = await statement.execute(db)
  if (rows.length > BULK_CAP)
    throw new AppError('invalid', { issues: { ids: [{ key: 'selection_too_large', values: { max: BULK_CAP } }] } })
  return rows.map((row) => row.id)
}

async function changeOne(db: Db, id: number, change: ChangeRow): Promise<boolean | AppError> {
  await sql`savepoint one_row`.execute(db)
  try {
    const hasChanged = await change(db, id)
    await sql`release savepoint one_row`.execute(db)
    return hasChanged
  } catch (error) {
    if (!isRejection(error)) throw error
    await sql`rollback to savepoint one_row`.execute(db)
    return error
  }
}

async function listRejections(db: Db, entity: Entity, rejected: ReadonlyMap<number, AppError>): Promise<FailedRow[]> {
  const named = [...rejected].slice(0, LISTED_REJECTIONS)
  if (named.length === 0) return []
  const ids = typed(
    named.map(([id]) => id),
    'bigint[]',
  )
  const statement = sql<{ id: number; title: string }>`select t.id, ${sql.raw(titleOf(entity, 't'))} as title
    from ${tableOf(entity)} as t where t.id = any(${ids})`
  const titles = new Map((await statement.execute(db)).rows.map((row) => [row.id, row.title]))
  return named.map(([id, failure]) => ({ id, failure, title: titles.get(id) ?? `#${id}` }))
}

/** The API's answer, with messages in the caller's language. */
export const toBulkAnswer = ({ rejected, rejections, ...counts }: BulkOutcome, language: Language): BulkAnswer => ({
  ...counts,
  refused: rejected,
  refusals: rejections.map(({ id, title, failure }) => ({ id, title, message: describeFailure(failure, language) })),
})

function describeFailure({ code, details }: AppError, language: Language): string {
  const sentences = listIssues(details.issues ?? []).map(({ key, values }) => say(language, key, values))
  return sentences.length > 0 ? [...new Set(sentences)].join('. ') : say(language, code)
}

type Issues = NonNullable<AppError['details']['issues']>

const isList = (issues: Issues): issues is readonly Issue[] => Array.isArray(issues)

const listIssues = (issues: Issues): readonly Issue[] =>
  isList(issues) ? issues : Object.values(issues).flatMap(listIssues)
