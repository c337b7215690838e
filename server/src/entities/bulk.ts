// Changing the selected rows of a list: one transaction, each row by the same rules, audit and scope as alone. A row that is refused stays as
// it was and is named with the reason; the others are changed.

import type { Language } from '@tributary/contract/entities/user'
import type { Entity } from '@tributary/contract/entity'
import { BULK_CAP, type BulkAnswer, type Selection } from '@tributary/contract/selection'
import type { Issue } from '@tributary/contract/validate'
import { say } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import { AppError } from '../lib/app-error.ts'
import type { Acting, Db } from './acting.ts'
import { compileWhere } from './list.ts'
import { readSelection } from './list-params.ts'
import { tableOf, typed } from './model.ts'
import { saveRow } from './save.ts'
import { titleOf } from './select-list.ts'
import { changeRecord } from './store.ts'

/** Further refusals are only counted. */
const NAMED_REFUSALS = 100

export interface Refusal {
  readonly id: number
  readonly title: string
  readonly failure: AppError
}

export interface BulkOutcome {
  readonly changed: number
  readonly unchanged: number
  /** Selected, but gone or out of sight. */
  readonly absent: number
  readonly refused: number
  readonly refusals: readonly Refusal[]
}

/** Changes one row by the store's own means; true when it is another one now. What it throws as AppError refuses the row. */
export type ChangeRow = (db: Db, id: number) => Promise<boolean>

/** For any call that changes what is selected: `cause` stands in the audit log. */
export function changeSelected(
  acting: Acting,
  entity: Entity,
  selection: Selection,
  cause: string,
  change: ChangeRow,
): Promise<BulkOutcome> {
  return changeRecord(acting, cause, async (db) => {
    const ids = await findSelected(db, acting, entity, selection)
    const refused = new Map<number, AppError>()
    let changed = 0
    for (const id of ids) {
      const outcome = await changeOne(db, id, change)
      if (outcome instanceof AppError) refused.set(id, outcome)
      else if (outcome) changed += 1
    }
    return {
      changed,
      unchanged: ids.length - changed - refused.size,
      absent: selection.exclusive ? 0 : new Set(selection.ids).size - ids.length,
      refused: refused.size,
      refusals: await nameRefusals(db, entity, refused),
    }
  })
}

/** Switches the selected rows on or off. */
export const activateSelected = (
  acting: Acting,
  entity: Entity,
  selection: Selection,
  flag: 'active' | 'enabled',
  isActive: boolean,
): Promise<BulkOutcome> =>
  changeSelected(
    acting,
    entity,
    selection,
    `${isActive ? 'activate' : 'deactivate'} ${entity.name}`,
    async (db, id) => {
      const { hasChanged } = await saveRow(db, acting, entity, id, { [flag]: isActive })
      return hasChanged
    },
  )

/** Ids of the selected rows that the person sees, in the one order in which everybody locks them. */
export async function findSelected(db: Db, acting: Acting, entity: Entity, selection: Selection): Promise<number[]> {
  const where = await compileWhere(db, acting, entity, readSelection(selection))
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
    if (!(error instanceof AppError) || error.status >= 500) throw error
    await sql`rollback to savepoint one_row`.execute(db)
    return error
  }
}

async function nameRefusals(db: Db, entity: Entity, refused: ReadonlyMap<number, AppError>): Promise<Refusal[]> {
  const named = [...refused].slice(0, NAMED_REFUSALS)
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

/** An outcome in the words of whoever asked. */
export const tellOutcome = ({ refusals, ...counts }: BulkOutcome, language: Language): BulkAnswer => ({
  ...counts,
  refusals: refusals.map(({ id, title, failure }) => ({ id, title, message: sayWhy(failure, language) })),
})

function sayWhy({ code, details }: AppError, language: Language): string {
  const sentences = listIssues(details.issues ?? []).map(({ key, values }) => say(language, key, values))
  return sentences.length > 0 ? [...new Set(sentences)].join('. ') : say(language, code)
}

type Issues = NonNullable<AppError['details']['issues']>

const isList = (issues: Issues): issues is readonly Issue[] => Array.isArray(issues)

const listIssues = (issues: Issues): readonly Issue[] =>
  isList(issues) ? issues : Object.values(issues).flatMap(listIssues)
