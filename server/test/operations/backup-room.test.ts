// A place for back-ups that is full: what was there stays whole, and a back-up can be made again once there is room.

import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupCommand, serveBackups } from '../../src/backup/requests.ts'
import { verifyCommand } from '../../src/backup/verify.ts'
import { writeFacts } from '../../src/facts/writer.ts'
import { createJobRunner } from '../../src/jobs/runner.ts'
import { createLog } from '../../src/lib/log.ts'
import { sqlOf } from '../support/facts-record.ts'
import { startTestServices } from '../support/harness.ts'
import { fillUp, makeSmallDisk } from '../support/small-disk.ts'

const PASSPHRASE = 'a passphrase of some length'
const isRoot = process.getuid?.() === 0

/** Only root may mount the small disk. */
test.skipIf(!isRoot)(
  'a back-up to a full place fails and says so, gives back the room that it took, and leaves earlier ones whole; with more room the next one is made [SYS-05]',
  async () => {
    const services = await startTestServices({ env: { BACKUP_PASSPHRASE: PASSPHRASE } })
    const { postgres, clickhouse, config } = services
    const log = createLog('fatal')
    const jobs = createJobRunner(postgres.url, log)
    await jobs.prepare([])
    await jobs.stop()
    const sql = sqlOf(postgres)
    const disk = await makeSmallDisk()
    const target = join(disk.path, 'back-ups')
    const files = (): string[] =>
      readdirSync(target, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort()
    const backUp = async (): Promise<string> => {
      const said: string[] = []
      await backupCommand(postgres, (line) => said.push(line), [target])
      return said.join('\n')
    }
    const verify = async (): Promise<string[]> => {
      const said: string[] = []
      await verifyCommand({ config, log, args: [target], modules: [], say: (line) => said.push(line) })
      return said
    }
    /** A back-up with so many bytes of room, which do not suffice. */
    const fails = async (room: number): Promise<void> => {
      const [before, ballast] = [files(), join(disk.path, 'ballast')]
      const release = await fillUp(ballast)
      truncateSync(ballast, statSync(ballast).size - room)
      await expect(backUp()).rejects.toThrow(/^the back-up failed: .*no space left on device/i)
      expect(files()).toEqual(before)
      expect(await verify()).toHaveLength(1)
      await release()
    }
    const stopping = new AbortController()
    const beside = serveBackups(services)
    const writing = writeFacts({ postgres, clickhouse, log, signal: stopping.signal, every: 20, beside })
    try {
      expect(await backUp()).toMatch(/^backed up to /)
      // Megabytes that cannot be compressed: first rows of PostgreSQL find no room, then a part of ClickHouse.
      await sql(`insert into audit_log (at, action, entity, entity_id, after)
        select now(), 'update', 'landing', n,
          json_build_object('title', (select string_agg(md5(random()::text || i), '') from generate_series(1, 125) as i where i + n > 0))
        from generate_series(1, 3000) as n`)
      await fails(0)
      await clickhouse.exec(`insert into click (id, day, created_at, site_id)
        select generateUUIDv4(), today(), now(), randomString(200) from numbers(40_000)`)
      await fails(6_000_000)

      expect(await backUp()).toMatch(/^backed up to /)
      expect(await verify()).toEqual([expect.stringMatching(/ is whole$/), expect.stringMatching(/ is whole$/)])
    } finally {
      stopping.abort()
      await writing
    }
  },
)
