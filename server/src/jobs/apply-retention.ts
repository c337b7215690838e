// Job: makes the partitions of the coming months, and drops months of logs that the settings keep no longer. Clicks and the logs of facts are
// in ClickHouse, where the writer of facts drops them.
import { z } from 'zod'
import { addMonthPartitions, dropMonthPartitions, type MonthlyTable, monthFrom } from '../postgres/month-partitions.ts'
import { defineJob } from './registry.ts'

/** The months of each table; null means for ever. */
type Months = Readonly<Record<MonthlyTable, number | null>>

export const applyRetention = defineJob({
  name: 'apply-retention',
  schema: z.strictObject({}),
  schedule: '40 2 * * *',
  isSingle: true,
  retry: { limit: 5, delaySeconds: 60, backoff: true },
  async handle(_data, { services: { postgres, log } }) {
    const now = Date.now()
    const added = await addMonthPartitions(postgres, now)
    if (added.length > 0) log.info({ added }, 'partitions of the coming months were made')
    const { rows } = await postgres.pool.query<Months>(
      'select audit_months as audit_log, postback_months as postback, attempt_months as postback_attempt from setting',
    )
    for (const [table, months] of Object.entries(rows[0] ?? {}) as [MonthlyTable, number | null][]) {
      if (months === null) continue
      const dropped = await dropMonthPartitions(postgres, table, monthFrom(now, -months))
      if (dropped.length > 0) log.info({ dropped }, 'months were deleted, as the settings of retention say')
    }
  },
})
