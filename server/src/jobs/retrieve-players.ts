// Runs the waiting requests to the players API; once a day, at the configured time, requests the day before.

import { z } from 'zod'
import { readIntegration } from '../integrations/integration.ts'
import { findWaiting, requestDay } from '../integrations/players-api/requests.ts'
import { retrieveDay } from '../integrations/players-api/retrieve-day.ts'
import { lastMoment } from '../lib/time-of-day.ts'
import type { Services } from '../services.ts'
import { checkTarget, resolveTarget } from '../tracker/postbacks/target-guard.ts'
import { defineJob } from './registry.ts'

export const retrievePlayers = defineJob({
  name: 'retrieve-players',
  schema: z.object({}),
  // Runs every minute, because the configured time may change.
  schedule: '* * * * *',
  isSingle: true,
  timeoutSeconds: 3600,
  retry: { limit: 2, delaySeconds: 10 },
  async handle(_data, { services, signal }) {
    await requestYesterday(services, new Date())
    const failures: unknown[] = []
    const guard = { check: checkTarget, resolve: resolveTarget }
    const options = { guard, allowsPrivateTargets: services.config.allowPrivateTargets }
    for (const id of await findWaiting(services)) {
      signal.throwIfAborted()
      await retrieveDay(services, id, options, signal).catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  },
})

interface Due {
  day: string
  is_asked: boolean
}

/**
 * Requests the business day before each configured time (UTC), once. A server that was down at that time catches up when it runs again.
 */
export async function requestYesterday(services: Services, now: Date): Promise<boolean> {
  const { pool } = services.postgres
  const { baseUrl } = await readIntegration(services, 'players_api')
  if (baseUrl === null) return false
  const { rows: set } = await pool.query<{ time: string }>('select players_api_retrieval_time as time from setting')
  const { rows } = await pool.query<Due>(
    `select ($1::timestamptz at time zone s.business_time_zone)::date - 1 as day,
        coalesce(i.asked_day >= ($1::timestamptz at time zone s.business_time_zone)::date - 1, false) as is_asked
      from setting s, integration i where i.name = 'players_api'`,
    [lastMoment(set[0]?.time ?? '00:00', now)],
  )
  const due = rows[0]
  if (due === undefined || due.is_asked) return false
  await requestDay(services, services.postgres.db, due.day, null)
  await pool.query("update integration set asked_day = $1, asked_at = now() where name = 'players_api'", [due.day])
  return true
}
