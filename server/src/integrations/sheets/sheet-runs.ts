// When the clock parses spend sheets: the configured times in UTC, the last of them, the next, and which was served.

import type { Postgres } from '../../postgres/client.ts'

export const SHEET_RUNS = ['daily', 'monthly'] as const
export type SheetRun = (typeof SHEET_RUNS)[number]

export interface RunTimes {
  /** The latest configured moment. */
  readonly last: Date
  readonly next: Date
  /** When it ran last, over how many files. */
  readonly startedAt: Date | null
  readonly files: number | null
}

interface SettingRow {
  readonly daily: string
  readonly monthly: string
  readonly day: number
  readonly zone: string
}

export async function sheetRuns(
  { pool }: Pick<Postgres, 'pool'>,
  now: Date,
): Promise<Record<SheetRun, RunTimes> & { readonly zone: string }> {
  const { rows: settings } = await pool.query<SettingRow>(
    `select daily_spend_parsing_time as daily, monthly_spend_parsing_time as monthly, monthly_spend_parsing_day as day,
      business_time_zone as zone from setting`,
  )
  const { daily = '00:00', monthly = '00:00', day = 1, zone = 'UTC' } = settings[0] ?? {}
  const { rows } = await pool.query<{ kind: SheetRun; started_at: Date; files: number }>(
    'select kind, started_at, files from sheet_run',
  )
  const served = (kind: SheetRun) => {
    const row = rows.find((run) => run.kind === kind)
    return { startedAt: row?.started_at ?? null, files: row?.files ?? null }
  }
  return {
    daily: { ...around(now, (shift) => moment(now, shift, null, daily)), ...served('daily') },
    monthly: { ...around(now, (shift) => moment(now, shift, day, monthly)), ...served('monthly') },
    zone,
  }
}

/** The configured moment `shift` days, or months where a day of the month is given, from now. */
function moment(now: Date, shift: number, dayOfMonth: number | null, time: string): Date {
  const [hours, minutes] = time.split(':').map(Number)
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  return dayOfMonth === null
    ? new Date(Date.UTC(year, month, day + shift, hours, minutes))
    : new Date(Date.UTC(year, month + shift, dayOfMonth, hours, minutes))
}

function around(now: Date, at: (shift: number) => Date): Pick<RunTimes, 'last' | 'next'> {
  return at(0) <= now ? { last: at(0), next: at(1) } : { last: at(-1), next: at(0) }
}
