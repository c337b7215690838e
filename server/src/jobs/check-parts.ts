// Job: reads every byte of ClickHouse's tables once a day, so that damage is found before a report meets it.
import { z } from 'zod'
import { findDamagedParts, mendDamage } from '../facts/damaged-parts.ts'
import { defineJob } from './registry.ts'

export const checkParts = defineJob({
  name: 'check-parts',
  schema: z.strictObject({}),
  schedule: '50 3 * * *',
  isSingle: true,
  retry: { limit: 2, delaySeconds: 600, backoff: true },
  async handle(_data, { services: { postgres, clickhouse, log } }) {
    await mendDamage({ postgres, clickhouse }, log, await findDamagedParts(clickhouse))
  },
})
