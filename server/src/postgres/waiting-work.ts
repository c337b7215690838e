// Reads what waits in the record: clicks, changes, postbacks, jobs; and the latest back-up.

import type { Pool } from 'pg'

type Reader = Pick<Pool, 'query'>

async function readRow<T extends object>(pool: Reader, sql: string): Promise<T> {
  const { rows } = await pool.query<T>(sql)
  const [row] = rows
  if (row === undefined) throw new Error('a statement without groups returned no row')
  return row
}

const INBOX_SQL = `select count(*) as clicks, coalesce(extract(epoch from now() - min(c.created_at)), 0)::float8 as age
  from click_inbox c left join click_writer w on w.id = c.writer where w.loaded_id is null or c.id > w.loaded_id`

/** Clicks that are not handed over to ClickHouse, and the age of the oldest in seconds. */
export const readInbox = (pool: Reader): Promise<{ clicks: number; age: number }> => readRow(pool, INBOX_SQL)

/** Changes of the record that reports do not know yet. */
export const countChanges = async (pool: Reader): Promise<number> =>
  (await readRow<{ count: number }>(pool, 'select count(*) as count from outbox')).count

const POSTBACKS_SQL = `select count(*) as count from (select from postback where status = 'pending' limit 100001) waiting`

/** Postbacks that wait to be sent to partners; at most 100001 are counted. */
export const countPostbacks = async (pool: Reader): Promise<number> =>
  (await readRow<{ count: number }>(pool, POSTBACKS_SQL)).count

const BACKUP_SQL = `select max(moment) as moment,
    count(*) filter (where state = 'failed' and finished_at > now() - interval '1 day'
      and id > coalesce((select max(id) from backup where state = 'done'), 0)) as failures,
    (select error from backup order by id desc limit 1) as last_error from backup`

export interface BackupState {
  readonly moment: Date | null
  /** Within a day and since the last one that was made. */
  readonly failures: number
  /** Of the latest back-up. */
  readonly last_error: string | null
}

export const readBackups = (pool: Reader): Promise<BackupState> => readRow(pool, BACKUP_SQL)

/** Jobs that ended are kept for a day. */
const JOBS_SQL = `select q.name, s.cron, coalesce(j.waiting, 0) as waiting, coalesce(j.running, 0) as running,
    coalesce(j.dead, 0) as dead, j.last_at, j.last_seconds, j.last_error, j.next_at
  from jobs.queue q left join jobs.schedule s on s.name = q.name left join (
    select name, count(*) filter (where state in ('created', 'retry')) as waiting,
      count(*) filter (where state = 'active') as running, count(*) filter (where state = 'failed') as dead,
      max(completed_on) filter (where state = 'completed') as last_at,
      (array_agg(extract(epoch from completed_on - started_on)::float8 order by completed_on desc)
        filter (where state = 'completed'))[1] as last_seconds,
      (array_agg(output ->> 'message' order by completed_on desc) filter (where state = 'failed'))[1] as last_error,
      min(start_after) filter (where state in ('created', 'retry')) as next_at
    from jobs.job group by name
  ) j on j.name = q.name
  where q.name not like '\\_\\_%' order by q.name`

export interface JobState {
  readonly name: string
  /** In UTC; null: the job runs when it is put on the queue. */
  readonly cron: string | null
  readonly waiting: number
  readonly running: number
  /** Failed at the last attempt within a day. */
  readonly dead: number
  readonly last_at: Date | null
  readonly last_seconds: number | null
  readonly last_error: string | null
  /** The earliest moment of a waiting job. */
  readonly next_at: Date | null
}

export async function readJobs(pool: Reader): Promise<readonly JobState[]> {
  const { rows } = await pool.query<JobState>(JOBS_SQL)
  return rows
}
