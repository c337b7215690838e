// Runs reads as prepared statements from the second use of a text on: planning a list costs more than answering it.

import type { CompiledQuery, RawBuilder } from 'kysely'
import { asFailure } from '../../../postgres/failure.ts'
import type { Db, RequestContext } from '../model/request-context.ts'

/** Texts prepared on every connection; later ones are planned each time, because filters make ever new texts. */
const MOST = 300
const REMEMBERED = 5000

const uses = new Map<string, string | undefined>()
let named = 0

function nameOf(text: string): string | undefined {
  const name = uses.get(text)
  if (name !== undefined) return name
  if (!uses.has(text)) {
    if (uses.size < REMEMBERED) uses.set(text, undefined)
    return undefined
  }
  if (named >= MOST) return undefined
  named += 1
  const given = `entity-${named}`
  uses.set(text, given)
  return given
}

/** Rows of a read, prepared if it repeats. Within a transaction it runs there, unprepared. */
export const runPrepared = <T>(db: Db, context: RequestContext, statement: RawBuilder<T>): Promise<T[]> =>
  run(db, context, statement, nameOf)

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
