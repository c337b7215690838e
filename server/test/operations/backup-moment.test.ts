// The moment of a back-up: what is recorded while it fixes both engines is handed over only afterwards.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeBackup } from '../../src/backup/make-backup.ts'
import { openStore } from '../../src/backup/open-store.ts'
import { lowestId } from '../../src/facts/clicks/click-lines.ts'
import { type PauseFacts, writeFacts } from '../../src/facts/writer.ts'
import { createJobRunner } from '../../src/jobs/runner.ts'
import { createLog } from '../../src/lib/log.ts'
import { addPlayer, sqlOf, writeFactsRecord } from '../support/facts-record.ts'
import { makeDirectory, startTestServices } from '../support/harness.ts'
import { inboxClick } from '../support/inbox-click.ts'
import { INSERT_INBOX } from '../support/inbox-rows.ts'

/** Twenty checks of the writer. */
const LONG_ENOUGH_MS = 400
/** A moment that is not given up takes less, also on a busy machine. */
const SLOW_MS = 2500

test('clicks and changes that come at the moment of a back-up are handed over after it [SYS-05] [TRK-03]', async () => {
  const { postgres, clickhouse, config } = await startTestServices()
  const log = createLog('fatal')
  const jobs = createJobRunner(postgres.url, log)
  await jobs.prepare([])
  await jobs.stop()
  const record = await writeFactsRecord(postgres)
  const sql = sqlOf(postgres)
  const [writer] = await sql('insert into click_writer default values returning id')
  const come = async (number: number): Promise<void> => {
    const time = Date.now()
    const click = inboxClick({
      id: `${lowestId(time).slice(0, 14)}7000-8000-${String(number).padStart(12, '0')}`,
      created_at: time,
      offer_partner_id: record.links[0] ?? 0,
      offer_id: record.offers[0] ?? 0,
      partner_id: record.partners[0] ?? 0,
      advertiser_id: record.advertiser,
      stream_id: record.streams[0] ?? 0,
      traffic_source_id: 1,
      country_id: record.countries[0] ?? 0,
    })
    const row = { ...click, created_at: new Date(time).toISOString(), writer: writer?.id }
    await sql(INSERT_INBOX, [JSON.stringify([row])])
    await addPlayer(postgres, record.links[0] ?? 0, '2026-02-10T10:00:00Z')
  }
  const handedOver = async (): Promise<number[]> => {
    const [found] = await clickhouse.query<{ clicks: number; players: number }>(
      'select (select count() from click) as clicks, (select uniqExact(player_id) from player_fact) as players',
    )
    return [found?.clicks ?? 0, found?.players ?? 0].map(Number)
  }
  const before = await handedOver()
  const after = (more: number): number[] => before.map((count) => count + more)
  const stopping = new AbortController()
  let pause: PauseFacts = (work) => work()
  const beside = async (pauseFacts: PauseFacts): Promise<void> => {
    pause = pauseFacts
  }
  const writing = writeFacts({ postgres, clickhouse, log, signal: stopping.signal, every: 20, beside })
  try {
    await come(1)
    await expect.poll(handedOver, { timeout: 20_000 }).toEqual(after(1))
    const target = join(makeDirectory(), 'back-ups')
    const store = await openStore(target, 'write')
    const seen: number[][] = []
    const source = {
      postgresUrl: postgres.url,
      clickhouse,
      dataDir: config.dataDir,
      installation: '7b0a4a55-5f6c-4a3e-9d4b-0c1d2e3f4a5b',
      secret: config.secret,
      passphrase: 'a passphrase of some length',
      pause,
      signal: stopping.signal,
    }
    await makeBackup(store, target, {
      ...source,
      async onStep(step) {
        if (step !== 'paused') return
        await come(2)
        await sleep(LONG_ENOUGH_MS)
        seen.push(await handedOver())
      },
    })
    expect(seen).toEqual([after(1)])
    await expect.poll(handedOver, { timeout: 20_000 }).toEqual(after(2))

    // A moment that takes too long is given up, so that facts go on, and tried again.
    let tries = 0
    await makeBackup(store, target, {
      ...source,
      limits: { pause: SLOW_MS, retry: 2 * LONG_ENOUGH_MS },
      async onStep(step) {
        if (step !== 'paused') return
        tries += 1
        if (tries === 1) {
          await come(3)
          await sleep(SLOW_MS + 1)
        } else expect(await handedOver()).toEqual(after(3))
      },
    })
    expect(tries).toBeGreaterThan(1)
    const never = { ...source, limits: { pause: 1, retry: 1 }, onStep: () => sleep(20) }
    await expect(makeBackup(store, target, never)).rejects.toThrow(/^the moment of the back-up was not there after/)
    const other = { ...source, installation: 'c0a8012e-6d1f-4b7e-8a54-1f2e3d4c5b6a' }
    await expect(makeBackup(store, target, other)).rejects.toThrow('holds back-ups of another installation')
    await store.close()
  } finally {
    stopping.abort()
    await writing
  }
})
