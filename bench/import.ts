// Imports a player report of half a million rows in a file of 100 MB: measures the time from upload to PostgreSQL, the additional memory of
// the server, and the slowdown of other requests. IMPORT_ROWS sets the number of rows.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, openAsBlob, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SheetRow, writeSheet } from '../server/src/lib/sheet.ts'
import { makeDataDirectory } from './data-directory.ts'
import type { Figure } from './figure.ts'
import { residentBytes } from './pinned.ts'
import { signIn, startWhole } from './whole-server.ts'

const ROWS = Number(process.env.IMPORT_ROWS ?? 500_000)
const BATCH = 1000
const PLAYERS = 100_000
/** Columns that imports ignore, as in advertisers' files: they make up most of the size. */
const NOTE_BYTES = 120
const IDLE_MS = 10_000
const BETWEEN_MS = 20
const LOOK_MS = 250
const MB = 1024 * 1024
const HEADERS = [
  'Player ID',
  'Report date',
  'Registration date',
  'Site ID',
  'Sub ID',
  'Promocode',
  'Country',
  'Currency',
  'First day amount',
  'Number of deposits',
  'Deposits',
  'Bets',
  'Bonus',
  'Income',
  'Note',
]

export async function run(): Promise<Figure[]> {
  const dataDir = makeDataDirectory('import')
  const path = join(dataDir, 'report.xlsx')
  await pipeline(writeSheet(makeSheet(), 'xlsx'), createWriteStream(path))
  const server = await startWhole(join(dataDir, 'data'))
  try {
    const token = await signIn(server.url)
    const watch = watchOthers(server.url, token, server.process.pid ?? 0)
    await sleep(IDLE_MS)
    const idle = watch.cut()
    const began = performance.now()
    const rows = await bring(server.url, token, path)
    const seconds = (performance.now() - began) / 1000
    const busy = watch.cut()
    await watch.stop()
    if (rows !== ROWS) throw new Error(`${rows} of ${ROWS} rows were taken`)
    return [
      { name: 'import.file', value: statSync(path).size / MB, unit: 'MB' },
      { name: 'import.seconds', value: seconds, unit: 's' },
      { name: 'import.memory', value: (busy.most - idle.least) / MB, unit: 'MB' },
      { name: 'import.others_idle_p95', value: idle.p95, unit: 'ms' },
      { name: 'import.others_p95', value: busy.p95, unit: 'ms' },
      { name: 'import.others_ratio', value: busy.p95 / idle.p95, unit: '×' },
    ]
  } finally {
    server.process.kill('SIGINT')
    if (server.process.exitCode === null) await once(server.process, 'exit')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export const makeSheet = (): Parameters<typeof writeSheet>[0] => ({
  title: 'Report',
  columns: HEADERS.map((header) => ({ header, kind: 'text' })),
  batches: makeRows(),
  total: ROWS,
  zone: 'UTC',
})

async function* makeRows(): AsyncGenerator<SheetRow[]> {
  for (let first = 0; first < ROWS; first += BATCH)
    yield Array.from({ length: Math.min(BATCH, ROWS - first) }, (_, index) => makeRow(first + index))
}

/** Each player on five days. */
function makeRow(number: number): SheetRow {
  const player = number % PLAYERS
  const day = `2026-06-${String(1 + Math.floor(number / PLAYERS)).padStart(2, '0')}`
  const deposits = number % 4
  return [
    `player-${player}`,
    day,
    `2026-05-${String(1 + (player % 28)).padStart(2, '0')} 10:${String(player % 60).padStart(2, '0')}:00`,
    player % 10 === 0 ? 'elsewhere' : 'bench-site',
    `s${player % 5000}`,
    null,
    'UA',
    'EUR',
    deposits === 0 ? 0 : 25.5,
    deposits,
    deposits * 25.5,
    number % 1000,
    number % 7,
    (number % 500) / 4,
    randomBytes(NOTE_BYTES).toString('base64'),
  ]
}

/** Imports the file and returns the number of its rows. */
export async function bring(url: string, token: string, path: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const form = new FormData()
  form.append('file', await openAsBlob(path), 'report.xlsx')
  const answer = await fetch(`${url}/api/player/import?advertiser=1`, { method: 'POST', headers, body: form })
  if (!answer.ok) throw new Error(`the import was answered ${answer.status}: ${await answer.text()}`)
  const { id } = (await answer.json()) as { id: number }
  for (;;) {
    const report = (await (await fetch(`${url}/api/report/${id}`, { headers })).json()) as {
      status: string
      rows: number
      error: string | null
    }
    if (report.status === 'success' || report.status === 'warnings') return report.rows
    if (report.status !== 'waiting' && report.status !== 'processing')
      throw new Error(`${report.status}: ${report.error}`)
    await sleep(LOOK_MS)
  }
}

interface Span {
  p95: number
  least: number
  most: number
}

const ASKED = ['offer?limit=20', 'player?limit=20', 'partner?limit=20', 'click?limit=20']

/** Reads one list after another without a break, and measures the memory of the server's process. */
function watchOthers(url: string, token: string, pid: number): { cut(): Span; stop(): Promise<void> } {
  const headers = { authorization: `Bearer ${token}` }
  let waits: number[] = []
  let sizes: number[] = []
  let isOver = false
  const look = async (): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      const began = performance.now()
      const answer = await fetch(`${url}/api/${ASKED[turn % ASKED.length]}`, { headers })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`a list was answered ${answer.status}`)
      waits.push(performance.now() - began)
      sizes.push(residentBytes(pid))
      await sleep(BETWEEN_MS)
    }
  }
  const looking = look()
  return {
    cut() {
      const sorted = waits.toSorted((a, b) => a - b)
      const span = {
        p95: sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN,
        least: Math.min(...sizes),
        most: Math.max(...sizes),
      }
      waits = []
      sizes = []
      return span
    },
    async stop() {
      isOver = true
      await looking
    },
  }
}
