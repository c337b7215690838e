// Faults of a second installation beside the first: a restore and a first start that are killed again and again.

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect } from 'vitest'
import type { Random } from '../../../demo/random.ts'
import { findPostmaster } from '../../src/postgres/postmaster.ts'
import { openRecord } from '../support/crash-engine.ts'
import { readCountedClicks, signInAdmin } from '../support/crash-report.ts'
import { createTestDatabase, makeDirectory } from '../support/harness.ts'
import { spawnTestServer, startTestServer } from '../support/server-process.ts'
import { backupFolder, type World } from './works.ts'

const KILLS = 3
const LONGEST_MS = 12_000

const newFolder = (): string => {
  const folder = join(makeDirectory(), 'data')
  mkdirSync(folder, { mode: 0o755 })
  return folder
}

/** Own engines: the second installation shares nothing with the first. */
function ownEnv({ installation }: World): Record<string, string> {
  const { DATABASE_URL: _database, CLICKHOUSE_URL: _clickhouse, ...env } = installation.env
  return { ...env, TRACKERS: '1' }
}

/** A start on an empty folder is killed in its migrations, again and again; the one that lives has them all and serves. */
export async function killStart(world: World, random: Random): Promise<Record<string, number>> {
  const dataDir = newFolder()
  const { url } = await createTestDatabase('empty')
  const env = { ...ownEnv(world), DATABASE_URL: url, CLICKHOUSE_URL: '', TRACKERS: '0' }
  for (let left = KILLS; left > 0; left--) {
    const server = spawnTestServer({ env, dataDir })
    await sleep(600 + random.next() * 5000)
    await server.kill()
  }
  const server = await startTestServer({ env, dataDir })
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query<{ count: number; most: number }>(
    'select count(*)::int as count, count(distinct number)::int as most from migration',
  )
  expect(rows[0]?.count).toBe(rows[0]?.most)
  await client.end()
  await signInAdmin(server.url)
  expect(await server.stop()).toBe(0)
  rmSync(dataDir, { recursive: true, force: true })
  return { 'first start': KILLS }
}

/** A restore is killed again and again; the one that ends has every click once that was confirmed before the back-up. */
export async function killRestore(world: World, random: Random): Promise<Record<string, number>> {
  if (world.model.backups === 0) return {}
  // A back-up that is made meanwhile is too late for it.
  const confirmed = world.model.confirmedBeforeBackup
  const dataDir = newFolder()
  const env = ownEnv(world)
  const args = ['restore', backupFolder(world)]
  let kills = 0
  for (let left = KILLS; left > 0; left--) {
    const killed = spawnTestServer({ env, dataDir, args })
    const code = await Promise.race([killed.exited, sleep(500 + random.next() * LONGEST_MS).then(() => undefined)])
    if (code === 0) break
    if (code !== undefined) throw new Error(`a restore ended with ${code}:\n${killed.output().slice(-3000)}`)
    await killed.kill()
    kills += 1
    if (left > 1) continue
    const whole = spawnTestServer({ env, dataDir, args })
    expect(await whole.exited, whole.output().slice(-3000)).toBe(0)
  }
  const server = await startTestServer({ env, dataDir })
  const record = await openRecord(dataDir)
  const { rows } = await record.query<{ held: boolean; sent: number }>(
    `select sending_held as held, (select count(*)::int from postback where direction = 'out') as sent from setting`,
  )
  expect(rows[0]?.held).toBe(true)
  await record.end()
  const clicks = await readCountedClicks(server.url, await signInAdmin(server.url))
  const found = new Set(clicks)
  expect(clicks.length - found.size, 'clicks that are there twice in a restored copy').toBe(0)
  const missing = confirmed.filter((id) => !found.has(id))
  expect(missing.length, 'clicks that a restored copy lacks').toBe(0)
  expect(await server.stop()).toBe(0)
  if (findPostmaster(join(dataDir, 'postgres', 'data')) !== undefined)
    throw new Error('PostgreSQL of a stopped copy runs')
  rmSync(dataDir, { recursive: true, force: true })
  return { restore: kills }
}
