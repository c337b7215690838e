// Requests for back-ups are rows of PostgreSQL. The server that writes facts serves them one by one, requested by a command or by the schedule.

import { setTimeout as sleep } from 'node:timers/promises'
import { repeat } from '../facts/loop.ts'
import type { Beside, PauseFacts } from '../facts/writer.ts'
import { StartError, textOf } from '../lib/app-error.ts'
import type { Postgres } from '../postgres/client.ts'
import type { Services } from '../services.ts'
import { type MadeBackup, makeBackup, pruneBackups } from './make-backup.ts'
import { openStore } from './open-store.ts'

const CHECK_EVERY_MS = 1000

interface BackupRow {
  id: number
  state: 'waiting' | 'running' | 'done' | 'failed'
  target: string
  manifest: string | null
  bytes: number | null
  new_bytes: number | null
  pause_ms: number | null
  error: string | null
}

type Pool = Pick<Postgres, 'pool'>

async function requestBackup({ pool }: Pool, target: string, reason: 'command' | 'schedule'): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    'insert into backup (target, reason) values ($1, $2) returning id',
    [target, reason],
  )
  return rows[0]?.id ?? 0
}

export const serveBackups =
  (services: Services): Beside =>
  async (pause, signal) => {
    const { postgres, log, config } = services
    if (config.backupTarget !== undefined && config.backupPassphrase === undefined)
      log.warn('BACKUP_TARGET is set without BACKUP_PASSPHRASE: no back-up can be made')
    await repeat(
      async () => {
        // Repeats back-ups of a stopped server, and those whose end could not be stored.
        await postgres.pool.query(`update backup set state = 'waiting' where state = 'running'`)
        if (config.backupTarget !== undefined) await requestDueBackup(postgres, config.backupTarget)
        return serveNext(services, pause, signal)
      },
      { name: 'making back-ups', log, signal, every: CHECK_EVERY_MS },
    )
  }

/** The daily back-up that the settings ask for, once for each day. A day that was missed is made up for when a server runs again. */
async function requestDueBackup({ pool }: Pool, target: string): Promise<void> {
  await pool.query(
    `insert into backup (target, reason) select $1, 'schedule' from setting s,
        lateral (select case when (now() at time zone 'utc')::time >= s.backup_time::time then (now() at time zone 'utc')::date
          else (now() at time zone 'utc')::date - 1 end + s.backup_time::time as at) due
      where not s.sending_held
        and not exists (select from backup where reason = 'schedule' and requested_at at time zone 'utc' >= due.at)`,
    [target],
  )
}

async function serveNext(services: Services, pause: PauseFacts, signal: AbortSignal): Promise<boolean> {
  const { postgres, log } = services
  const { rows } = await postgres.pool.query<{ id: number; target: string }>(
    `update backup set state = 'running', started_at = now(), error = null
      where id = (select id from backup where state = 'waiting' order by id limit 1) returning id, target`,
  )
  const [row] = rows
  if (row === undefined) return false
  try {
    const made = await backUp(row.target, services, pause, signal)
    await noteDone(postgres, row.id, made)
    log.info({ backup: row.id, moment: made.moment, bytes: made.bytes, pause_ms: made.pauseMs }, 'a back-up is made')
  } catch (error) {
    if (signal.aborted) return false
    log.error({ error, backup: row.id }, 'a back-up failed')
    await postgres.pool.query(`update backup set state = 'failed', finished_at = now(), error = $2 where id = $1`, [
      row.id,
      textOf(error),
    ])
  }
  return true
}

async function backUp(target: string, services: Services, pause: PauseFacts, signal: AbortSignal): Promise<MadeBackup> {
  const { postgres, clickhouse, config, log } = services
  const store = await openStore(target, 'write')
  try {
    const { rows } = await postgres.pool.query<{ days: number; installation: string }>(
      'select backup_days as days, installation_id as installation from setting',
    )
    const [setting] = rows
    if (setting === undefined) throw new Error('the settings are missing')
    const prune = (): Promise<number> => pruneBackups(store, setting.days, new Date())
    const making = makeBackup(store, target, {
      postgresUrl: postgres.url,
      clickhouse,
      dataDir: config.dataDir,
      installation: setting.installation,
      secret: config.secret,
      passphrase: config.backupPassphrase,
      pause,
      signal,
    })
    const made = await making.catch(async (error: unknown) => {
      // Otherwise old back-ups, and what this one stored, would keep the place full.
      if (isOutOfRoom(error))
        await prune().catch((failure: unknown) => log.warn({ error: failure }, 'no room could be made for back-ups'))
      throw error
    })
    await prune()
    return made
  } finally {
    await store.close()
  }
}

/** Node names the code, ClickHouse only the sentence of the operating system. */
const OUT_OF_ROOM = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/i

function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && (OUT_OF_ROOM.test(error.message) || isOutOfRoom(error.cause))
}

async function noteDone({ pool }: Pool, id: number, made: MadeBackup): Promise<void> {
  await pool.query(
    `update backup set state = 'done', finished_at = now(), moment = $2, manifest = $3, objects = $4, bytes = $5, new_bytes = $6,
      pause_ms = $7 where id = $1`,
    [id, made.moment, made.key, made.objects, made.bytes, made.newBytes, made.pauseMs],
  )
}

const POLL_EVERY_MS = 200
const MB = 1_000_000

/** `npm run backup -- DIR`: requests a back-up and waits until it is made. */
export async function backupCommand(
  postgres: Pool,
  say: (line: string) => void,
  [target]: readonly string[],
): Promise<void> {
  if (target === undefined)
    throw new StartError('name the place of the back-ups: npm run backup -- /path, or s3://bucket/folder')
  const id = await requestBackup(postgres, target, 'command')
  for (;;) {
    const { rows } = await postgres.pool.query<BackupRow>('select * from backup where id = $1', [id])
    const [row] = rows
    if (row === undefined) throw new StartError(`back-up ${id} does not exist any more`)
    if (row.state === 'failed') throw new StartError(`the back-up failed: ${row.error}`)
    if (row.state === 'done') {
      const [all, added] = [row.bytes ?? 0, row.new_bytes ?? 0].map((bytes) => (bytes / MB).toFixed(1))
      say(
        `backed up to ${row.target}/${row.manifest}: ${all} MB, of which ${added} MB are new; facts waited ${row.pause_ms} ms`,
      )
      return
    }
    await sleep(POLL_EVERY_MS)
  }
}
