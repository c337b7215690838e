// Versions months of facts. A write first raises the number of its months and registers itself, and unregisters once ClickHouse confirms.
// A month sum is valid if it was computed at the month's current number and no registered write concerns the month.
import type { SourceName } from '@tributary/contract/reports/traffic'
import type { Postgres } from '../../postgres/client.ts'

/** '202606' is June 2026. */
export interface FactMonth {
  readonly source: SourceName
  readonly month: string
}

/** A month of facts with the number of its latest change. */
export interface NumberedMonth extends FactMonth {
  readonly number: number
}

/** Registers writes of facts by month. */
export interface MonthChanges {
  /** Registers and runs `write`, which must change facts of these months only. */
  during<T>(source: SourceName, months: Iterable<string>, write: () => Promise<T>): Promise<T>
  /** Adds months that have no number yet. */
  addMonths(source: SourceName, months: Iterable<string>): Promise<void>
  /** Unregisters writes that failed or were killed so long ago that no engine can still execute them. */
  dropAbandonedWrites(): Promise<void>
}

/** Longer than any statement keeps running after its client is gone. */
const ABANDONED_AFTER = '10 minutes'

const RAISE_SQL = `insert into fact_month (source, month) select $1, unnest($2::text[])
  on conflict (source, month) do update set number = fact_month.number + 1`
const BEGIN_WRITE_SQL = `with raised as (${RAISE_SQL}) insert into fact_write (source, months) values ($1, $2) returning id`

/** 'YYYYMM' of a day. */
export const monthOfDay = (day: string): string => day.slice(0, 4) + day.slice(5, 7)

/** Announces writes of facts by month, so that no month sum is used that was made before or during one. */
export function createMonthChanges({ pool }: Pick<Postgres, 'pool'>): MonthChanges {
  /** Ids of this process's running writes. */
  const inFlight = new Set<number>()

  return {
    async during(source, months, write) {
      const names = [...new Set(months)].sort()
      if (names.length === 0) return write()
      const { rows } = await pool.query<{ id: number }>(BEGIN_WRITE_SQL, [source, names])
      const id = rows[0]?.id ?? 0
      inFlight.add(id)
      try {
        const result = await write()
        const { rowCount } = await pool.query('delete from fact_write where id = $1', [id])
        // Another process unregistered this write: sums made since then may lack its facts.
        if (rowCount === 0) await pool.query(RAISE_SQL, [source, names])
        return result
      } finally {
        // A failed write stays registered until dropAbandonedWrites, because the engine may still execute it.
        inFlight.delete(id)
      }
    },
    async addMonths(source, months) {
      await pool.query(
        'insert into fact_month (source, month) select $1, unnest($2::text[]) on conflict (source, month) do nothing',
        [source, [...months]],
      )
    },
    async dropAbandonedWrites() {
      await pool.query(
        'delete from fact_write where begun_at < clock_timestamp() - $1::interval and not id = any($2::bigint[])',
        [ABANDONED_AFTER, [...inFlight]],
      )
    },
  }
}

/** Months without a registered write. */
export async function readSettledMonths({ pool }: Pick<Postgres, 'pool'>): Promise<NumberedMonth[]> {
  const { rows } = await pool.query<NumberedMonth>(
    `select m.source, m.month, m.number from fact_month m
      where not exists (select from fact_write w where w.source = m.source and m.month = any(w.months))`,
  )
  return rows
}
