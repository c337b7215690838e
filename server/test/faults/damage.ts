// Flips bytes in a part of the facts: the product must find it, name it, and make the facts again.

import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Random } from '../../../demo/random.ts'
import { flipBytes } from '../support/flip-bytes.ts'
import type { Installation } from './installation.ts'
import { awaitRecord, type World } from './works.ts'

const TABLES = ['player_fact', 'activity_fact', 'spend_fact']

export async function damagePart(world: World, random: Random): Promise<Record<string, number>> {
  const { installation, admin } = world
  const { last } = await awaitRecord<{ last: number }>(
    world,
    'a look at the rebuilds',
    'select coalesce(max(id), 0) as last from facts_rebuild',
  )
  const table = random.pick(TABLES)
  const part = largestPart(installation, table)
  if (part === undefined) return {}
  const began = new Date()
  flipBytes(part.folder)
  // A report meanwhile is answered 503 or from memory. laws.ts checks the numbers later.
  const answer = await admin.tryOnce('POST', 'general_report', {
    filter: { dateFrom: '2018-01-01', groupBy: 'partner' },
  })
  expect([undefined, 200]).toContain(answer?.status)
  if (!existsSync(part.folder)) return { 'flipped bytes (already replaced)': 1 }
  await awaitRecord(
    world,
    `a rebuild after damage of ${table} ${part.name}`,
    // One that was under way heals as well.
    `select from facts_rebuild where (id > $1 or finished_at > $2) and state = 'done'`,
    [last, began],
  )
  return { 'flipped bytes': 1 }
}

function largestPart({ clickhouseFolder }: Installation, table: string): { folder: string; name: string } | undefined {
  const parts: { folder: string; name: string; bytes: number }[] = []
  for (const data of ['data/default', 'data/tributary']) {
    const link = join(clickhouseFolder, data, table)
    if (!existsSync(link)) continue
    const folder = realpathSync(link)
    for (const name of readdirSync(folder)) {
      const file = join(folder, name, 'data.bin')
      if (/^\w+_\d+_\d+_\d+$/.test(name) && existsSync(file))
        parts.push({ folder: join(folder, name), name, bytes: statSync(file).size })
    }
  }
  return parts.sort((a, b) => b.bytes - a.bytes)[0]
}
