// Imports waiting player reports one by one, including those whose import was interrupted, which left nothing behind.

import { z } from 'zod'
import { importReport } from '../integrations/player-report/import-report.ts'
import { dropOrphans } from '../integrations/player-report/report-files.ts'
import { findUnfinished } from '../integrations/player-report/report-row.ts'
import { defineJob } from './registry.ts'

export const importReports = defineJob({
  name: 'import-reports',
  schema: z.object({}),
  // The schedule finds reports that a stopped server has left.
  schedule: '*/5 * * * *',
  isSingle: true,
  timeoutSeconds: 3600,
  retry: { limit: 5, delaySeconds: 5, backoff: true, maxDelaySeconds: 60 },
  async handle(_data, { services, signal }) {
    // A report that fails must not delay the others.
    const failures: unknown[] = []
    for (const id of await findUnfinished(services.postgres.pool)) {
      signal.throwIfAborted()
      await importReport(services, id, signal).catch((error: unknown) => failures.push(error))
    }
    await dropOrphans(services.config, services.postgres.pool)
    if (failures.length > 0) throw failures[0]
  },
})
