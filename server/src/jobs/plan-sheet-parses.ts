// Queues scheduled parses: daily of the current month, on its first days of the previous one too; monthly of the previous one.

import { dayOf, presetPeriod } from '@tributary/contract/period'
import { sql } from 'kysely'
import { z } from 'zod'
import { readIntegration } from '../integrations/integration.ts'
import { readAssignedFiles } from '../integrations/sheets/assigned-files.ts'
import { SHEET_RUNS, type SheetRun, sheetRuns } from '../integrations/sheets/sheet-runs.ts'
import type { Services } from '../services.ts'
import { parseSheet } from './parse-sheet.ts'
import { defineJob } from './registry.ts'

export const planSheetParses = defineJob({
  name: 'plan-sheet-parses',
  schema: z.object({}),
  // Runs every minute, because the configured times may change.
  schedule: '* * * * *',
  isSingle: true,
  async handle(_data, { services }) {
    await queueSheetParses(services, new Date())
  },
})

/** Returns the number of queued files. A server that was down at the time catches up, once. */
export async function queueSheetParses(services: Services, now: Date): Promise<number> {
  const { credential } = await readIntegration(services, 'sheets')
  if (credential === null) return 0
  const runs = await sheetRuns(services.postgres, now)
  let queued = 0
  for (const kind of SHEET_RUNS)
    queued += await queueRun(services, kind, runs[kind].last, monthsOf(kind, now, runs.zone))
  return queued
}

/** On these days of a month the previous month is still being filled in. */
const OVERLAP_DAYS = 3

function monthsOf(kind: SheetRun, now: Date, zone: string): string[] {
  const day = dayOf(now.getTime(), zone)
  const previous = presetPeriod('previous_month', day).from.slice(0, 7)
  if (kind === 'monthly') return [previous]
  return Number(day.slice(8)) <= OVERLAP_DAYS ? [previous, day.slice(0, 7)] : [day.slice(0, 7)]
}

/** The run is noted in the transaction that queues it: however many servers look, it is queued once. */
async function queueRun(
  { postgres, jobs }: Services,
  kind: SheetRun,
  dueAt: Date,
  months: readonly string[],
): Promise<number> {
  return postgres.withTransaction(async (trx) => {
    const files = await readAssignedFiles(trx)
    const { rows } = await sql`insert into sheet_run (kind, due_at, files) values (${kind}, ${dueAt}, ${files.length})
      on conflict (kind) do update set due_at = excluded.due_at, files = excluded.files, started_at = now()
      where sheet_run.due_at < excluded.due_at returning kind`.execute(trx)
    if (rows.length === 0) return 0
    for (const { partner, group, file } of files) {
      const data = {
        partner,
        group,
        file,
        months: [...months],
        trigger: kind,
        startedBy: null,
        takesRemovals: false,
        language: 'en' as const,
      }
      await jobs.enqueue(parseSheet, data, { trx, key: `${partner} ${file} ${months.join(' ')}` })
    }
    return files.length
  })
}
