// Draws the files of the demo's statements. There are hundreds, so the server is ready before the older ones are there.
import { ignore } from '../server/src/lib/promises.ts'
import { keepDocuments } from '../server/src/money/keep-documents.ts'
import type { Services } from '../server/src/services.ts'

/** Statements whose files are drawn together: what a stop waits for. */
const AT_ONCE = 10

const MISSING = `select s.id from statement s where s.state not in ('draft', 'void')
  and not exists (select from statement_pdf f where f.statement_id = s.id) order by s.month desc, s.id limit $1`

/** Draws what is missing, the latest months first; also what an earlier run has left. */
export function drawMissingFiles(services: Services): { stop(): Promise<void> } {
  let isStopping = false
  const draw = async (): Promise<void> => {
    while (!isStopping) {
      const { rows } = await services.postgres.pool.query<{ id: number }>(MISSING, [AT_ONCE])
      if (rows.length === 0) return
      await keepFiles(
        services,
        rows.map(({ id }) => id),
      )
    }
  }
  const drawing = draw().catch((error: unknown) => services.log.warn({ error }, 'files of statements are missing'))
  return {
    async stop() {
      isStopping = true
      await drawing.catch(ignore)
    },
  }
}

export const keepFiles = ({ postgres, config }: Services, statements: readonly number[]): Promise<void> =>
  keepDocuments(postgres.db, statements, config)
