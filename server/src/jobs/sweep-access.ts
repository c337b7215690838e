// Job: deletes expired counts of attempts, expired links and long-ended sessions once a day.
import { sql } from 'kysely'
import { z } from 'zod'
import { defineJob } from './registry.ts'

export const sweepAccess = defineJob({
  name: 'sweep-access',
  schema: z.object({}),
  schedule: '17 3 * * *',
  isSingle: true,
  async handle(_data, { services }) {
    const { db } = services.postgres
    await sql`delete from access_attempt where reckoned_at < now() - interval '2 days' and locked_until < now()`.execute(
      db,
    )
    await sql`delete from account_link where expires_at < now() - interval '30 days'`.execute(db)
    await sql`delete from session where coalesce(ended_at, expires_at) < now() - interval '90 days'`.execute(db)
  },
})
