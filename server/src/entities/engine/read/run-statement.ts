// Runs a read as a prepared statement from the second use of its text on, because planning a list costs more than running it.

import type { CompiledQuery, RawBuilder } from 'kysely'
import { asFailure } from '../../../postgres/failure.ts'
import type { Db, RequestContext } from '../model/request-context.ts'

/** Maximum number of prepared texts; further ones are planned each time, because filters produce endless new texts. */
const PREPARED_CAP = 300
const KNOWN_TEXTS_CAP = 5000

const uses = new Map<string, string | undefined>()
let preparedCount = 0

function preparedName(text: string): string | undefined {
  const name = uses.get(text)
  if (name !== undefined) return name
  if (!uses.has(text)) {
    if (uses.size < KNOWN_TEXTS_CAP) uses.set(text, undefined)
    return undefined
  }
  if (preparedCount >= PREPARED_CAP) return undefined
  preparedCount += 1
  const newName = `entity-${preparedCount}`
  uses.set(text, newName)
  return newName
}

/** Rows of a read, prepared if it repeats. Within a transaction it runs there, unprepared. */
export const runPrepared = <T>(db: Db, context: RequestContext, statement: RawBuilder<T>): Promise<T[]> =>
  run(db, context, statement, preparedName)

/** Rows of a read that is planned with its own values each time, because its best plan depends on them. */
export const runUnprepared = <T>(db: Db, context: RequestContext, statement: RawBuilder<T>): Promise<T[]> =>
  run(db, context, statement, () => undefined)

async function run<T>(
  db: Db,
  { engines }: RequestContext,
  statement: RawBuilder<T>,
  nameFor: (text: string) => string | undefined,
): Promise<T[]> {
  const { postgres } = engines
  if (db !== postgres.db) return (await statement.execute(db)).rows
  const { sql, parameters }: CompiledQuery = statement.compile(db)
  const name = nameFor(sql)
  try {
    // The statement selects T, as in Kysely's own execution.
    return (await postgres.pool.query({ text: sql, values: [...parameters], ...(name !== undefined && { name }) }))
      .rows as T[]
  } catch (error) {
    throw asFailure(error) ?? error
  }
}
