// Numbers of months of facts. Every write of facts first raises the number of its months and notes that it is in flight, and removes the note
// when ClickHouse has confirmed. A sum is valid if it was made from the current number and no write of its month is in flight.
import type { SourceName } from '@tributary/contract/reports/traffic'
import type { Postgres } from '../../postgres/client.ts'

/** '202606' is June 2026. */
export interface FactMonth {
  readonly source: SourceName
  readonly month: string
}

export interface NumberedMonth extends FactMonth {
  readonly number: number
}

export interface MonthChanges {
  /** Runs `write`, which changes facts of these months and of no others. */
  during<T>(source: SourceName, months: Iterable<string>, write: () => Promise<T>): Promise<T>
  /** Adds months with facts that have no number yet. */
  enter(source: SourceName, months: Iterable<string>): Promise<void>
  /** Drops notes of writes that failed or were killed long enough ago that no engine still works on them. */
  dropCutOff(): Promise<void>
}

/** Longer than any statement runs on after its client has gone. */
const CUT_OFF_AFTER = '10 minutes'

const RAISE = `insert into fact_month (source, month) select $1, unnest($2::text[])
  on conflict (source, month) do update set number = fact_month.number + 1`
const BEGIN = `with raised as (${RAISE}) insert into fact_write (source, months) values ($1, $2) returning id`

export const monthOfDay = (day: string): string => day.slice(0, 4) + day.slice(5, 7)

export function createMonthChanges({ pool }: Pick<Postgres, 'pool'>): MonthChanges {
  /** Writes of this process that have not ended. */
  const inFlight = new Set<number>()

  return {
    async during(source, months, write) {
      const names = [...new Set(months)].sort()
      if (names.length === 0) return write()
      const { rows } = await pool.query<{ id: number }>(BEGIN, [source, names])
      const id = rows[0]?.id ?? 0
      inFlight.add(id)
      try {
        const result = await write()
        const { rowCount } = await pool.query('delete from fact_write where id = $1', [id])
        // Another process dropped the note: sums made since may lack these facts.
        if (rowCount === 0) await pool.query(RAISE, [source, names])
        return result
      } finally {
        // After a failure the note stays until it is dropped: the engine may still be writing.
        inFlight.delete(id)
      }
    },
    async enter(source, months) {
      await pool.query(
        'insert into fact_month (source, month) select $1, unnest($2::text[]) on conflict (source, month) do nothing',
        [source, [...months]],
      )
    },
    async dropCutOff() {
      await pool.query(
        'delete from fact_write where begun_at < clock_timestamp() - $1::interval and not id = any($2::bigint[])',
        [CUT_OFF_AFTER, [...inFlight]],
      )
    },
  }
}

/** Months with a number and without a write in flight. */
export async function readSettledMonths({ pool }: Pick<Postgres, 'pool'>): Promise<NumberedMonth[]> {
  const { rows } = await pool.query<NumberedMonth>(
    `select m.source, m.month, m.number from fact_month m
      where not exists (select from fact_write w where w.source = m.source and m.month = any(w.months))`,
  )
  return rows
}
