// Reads every player report that waits, one after another. Also those whose reading was cut off: nothing of them has stayed.

import { z } from 'zod'
import { importReport } from '../integrations/player-report/import-report.ts'
import { dropOrphans } from '../integrations/player-report/report-files.ts'
import { findUnfinished } from '../integrations/player-report/report-row.ts'
import { defineJob } from './registry.ts'

export const importReports = defineJob({
  name: 'import-reports',
  schema: z.object({}),
  // What a server left that has ended is found without anybody asking.
  schedule: '*/5 * * * *',
  isSingle: true,
  timeoutSeconds: 3600,
  retry: { limit: 5, delaySeconds: 5, backoff: true, maxDelaySeconds: 60 },
  async handle(_data, { services, signal }) {
    // One that cannot be read now does not keep the others.
    const failures: unknown[] = []
    for (const id of await findUnfinished(services.postgres.pool)) {
      signal.throwIfAborted()
      await importReport(services, id, signal).catch((error: unknown) => failures.push(error))
    }
    await dropOrphans(services.config, services.postgres.pool)
    if (failures.length > 0) throw failures[0]
  },
})
