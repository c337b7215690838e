// The server's clock steps back and forth during traffic: uniqueness windows stay as correct as the clock allows, and nothing is lost or
// counted twice.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fillRecord, openRecord } from '../support/crash-engine.ts'
import { ADMIN_ENV, expectCountedOnce, readClick, signInAdmin } from '../support/crash-report.ts'
import { makeDirectory } from '../support/harness.ts'
import { ok, startPartner } from '../support/partner-server.ts'
import { startTestServer, usedFolder } from '../support/server-process.ts'
import { OTHER_LINK, visit } from '../support/tracker-network.ts'
import { startTraffic } from '../support/traffic.ts'

const HOUR_MS = 3_600_000
const LOOK_MS = 300

test('steps of the clock: duplicates stay duplicates, an expired window stays expired, and every click and event counts once [TRK-02] [TRK-03] [TRK-07]', async () => {
  const file = join(makeDirectory(), 'shift')
  const step = async (milliseconds: number): Promise<void> => {
    writeFileSync(file, String(milliseconds))
    await sleep(LOOK_MS)
  }
  writeFileSync(file, '0')
  const env = {
    ...ADMIN_ENV,
    ...{ TRUST_PROXY: '1', LOG_LEVEL: 'error', ALLOW_PRIVATE_TARGETS: '1' },
    ...{ CLOCK_SHIFT_FILE: file, NODE_OPTIONS: `--import ${import.meta.dirname}/../support/clock-shift.ts` },
  }
  const server = await startTestServer({ env, dataDir: await usedFolder() })
  await fillRecord(server)
  const partner = await startPartner(ok)
  const record = await openRecord(server.dataDir)
  await record.query(
    `insert into partner_postback_url (partner_id, url, created_at) values (1, $1, now() - interval '2 days')`,
    [`${partner.url}/?e={event}&p={player_id}`],
  )
  const meet = async (): Promise<string> => {
    const { clickId } = await visit(server.url, `/c/${OTHER_LINK}`, { 'x-forwarded-for': '81.255.0.1' })
    expect(clickId).not.toBe('')
    return clickId
  }
  await record.query('update setting set uniqueness_hours = 1')
  await sleep(LOOK_MS)
  const traffic = startTraffic(server.url)
  const met = [await meet()]
  // Back by half a day, forward past the window, and back to the real time.
  for (const shift of [-12 * HOUR_MS, 2 * HOUR_MS, 2 * HOUR_MS, 0]) {
    await step(shift)
    await traffic.confirmMore(60)
    met.push(await meet())
  }
  await traffic.stop()
  const token = await signInAdmin(server.url)
  const clicks = await Promise.all(met.map((id) => readClick(server.url, token, id)))
  expect(clicks.map((click) => click.canonical_id)).toEqual([null, met[0], null, met[2], met[2]])
  // The visitor's five clicks, two of them unique, in addition to the traffic.
  await expectCountedOnce(server.url, token, traffic, { clicks: met.length, unique: 2 })
  const told = () => new Set(partner.calls.map(({ url }) => url))
  const events = [...traffic.registrations].flatMap((player) =>
    ['reg', 'ftd', 'bl'].map((event) => `/?e=${event}&p=${player}`),
  )
  await expect.poll(() => events.filter((url) => !told().has(url)), { timeout: 60_000 }).toEqual([])
  expect(partner.calls).toHaveLength(events.length)
  await record.end()
  expect(await server.stop()).toBe(0)
}, 300_000)
