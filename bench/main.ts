// `npm run bench [name…] [-- --size 100M]`: runs the named benches, or all; prints one table, writes results/<name>.json, and fails when a budget is broken.
// A bench is a file that exports `run`; its figures are medians of runs interleaved with their reference, so that they travel between machines.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Figure } from './figure.ts'

const BENCHES: Record<string, () => Promise<{ run(): Promise<Figure[]> }>> = {
  backup: () => import('./backup.ts'),
  calls: () => import('./calls.ts'),
  click_list: () => import('./click-list.ts'),
  disk: () => import('./disk.ts'),
  freshness: () => import('./freshness.ts'),
  growth: () => import('./growth.ts'),
  import: () => import('./import.ts'),
  isolation: () => import('./isolation.ts'),
  lists: () => import('./lists.ts'),
  memory: () => import('./memory.ts'),
  money: () => import('./money.ts'),
  report_load: () => import('./report-load.ts'),
  reports: () => import('./reports.ts'),
  screens: () => import('./screens.ts'),
  spends: () => import('./spends.ts'),
  start: () => import('./start.ts'),
  tracker: () => import('./tracker.ts'),
  traffic: () => import('./traffic.ts'),
  web: () => import('./web.ts'),
}

interface Limit {
  min?: number
  max?: number
}

const HERE = import.meta.dirname
const RESULTS = join(HERE, 'results')

const { positionals, values } = parseArgs({ allowPositionals: true, options: { size: { type: 'string' } } })
if (values.size !== undefined) process.env.BENCH_CLICKS = String(clicksOf(values.size))
process.exit(await main(positionals))

/** '20M', '500k' or a whole number. */
function clicksOf(text: string): number {
  const [, digits, unit = ''] = /^(\d+)([kM]?)$/.exec(text) ?? []
  if (digits === undefined) throw new Error(`--size ${text}: say it as 500k or 100M`)
  return Number(digits) * ({ k: 1000, M: 1_000_000 }[unit] ?? 1)
}

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !(name in BENCHES))
  if (unknown.length > 0) {
    console.error(`unknown bench ${unknown.join(', ')}; there are: ${Object.keys(BENCHES).join(', ')}`)
    return 2
  }
  const budget: Record<string, Limit> = JSON.parse(readFileSync(join(HERE, 'budget.json'), 'utf8'))
  let broken = 0
  for (const [name, load] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue
    console.log(`\n${name}`)
    const figures = await (await load()).run()
    for (const figure of figures) {
      const verdict = judge(figure, budget[figure.name])
      if (verdict === 'BROKEN') broken++
      console.log(formatLine(figure, budget[figure.name], verdict))
    }
    write(name, figures)
  }
  return broken === 0 ? 0 : 1
}

function judge({ value }: Figure, limit: Limit | undefined): 'ok' | 'BROKEN' | '' {
  if (limit === undefined) return ''
  return value >= (limit.min ?? value) && value <= (limit.max ?? value) ? 'ok' : 'BROKEN'
}

function formatLine(figure: Figure, limit: Limit | undefined, verdict: string): string {
  const bound = limit === undefined ? '' : limit.min === undefined ? `≤ ${limit.max}` : `≥ ${limit.min}`
  const number = figure.value >= 1000 ? Math.round(figure.value).toLocaleString('en') : figure.value.toPrecision(3)
  return `  ${figure.name.padEnd(40)} ${number.padStart(10)} ${figure.unit.padEnd(8)} ${bound.padEnd(10)} ${verdict}`
}

function write(name: string, figures: readonly Figure[]): void {
  mkdirSync(RESULTS, { recursive: true })
  const machine = {
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  }
  const text = JSON.stringify({ at: new Date().toISOString(), machine, figures }, null, 2)
  writeFileSync(join(RESULTS, `${name}.json`), `${text}\n`)
}
