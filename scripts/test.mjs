// `npm test [suite…] [-- file filters]`: installs what is missing, runs the suites one by one against real engines and a
// real browser, and ends with the line `N passed, N failed`. Skipped tests count as failed.
// `npm run test:long` runs the long repetitions.
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { buildScreens, installPackages } from './bootstrap.mjs'
import { runChecks } from './checks.mjs'
import { ensureChromium } from './chromium.mjs'
import { closeOutcome, failedFiles, readPlaywright, readVitest, readVitestTwice, summarize } from './reports.mjs'
import { CACHE, ROOT, run, say, tool, toolEnvironment } from './root.mjs'

const REPORTS = join(CACHE, 'reports')
const SUITE_LIMIT_MS = 40 * 60_000
const LONG_LIMIT_MS = 120 * 60_000
/** Files at once, on two cores. */
const WORKERS = 2
/** A third of their time, files of the server wait for engines, other processes and timers. */
const SERVER_WORKERS = 3
/** Temporary files lie in memory if it has this much room: on a disk, making the files of databases takes an eighth of the server's suite. */
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES = 8 * 1024 ** 3
/** Failed files that run once more; more of them are not run again. */
const MAX_FILES_AGAIN = 5
/** How often the long tests repeat what the suite does once; each can be set from outside. */
const LONG = {
  BUDGET_CASES: '1000',
  MONEY_HISTORIES: '100',
  FAULT_MINUTES: '25',
  FAULT_PAUSE_SECONDS: '30',
  CRASH_ROUNDS: '10',
  STOP_ROUNDS: '20',
  FC_RUNS: '20',
  FC_QUESTIONS: '60',
  FUZZ_FACTOR: '20',
}

/** @typedef {import('./reports.mjs').Outcome} Outcome */

/** @type {Record<string, (filters: string[]) => Promise<Outcome>>} */
const SUITES = {
  checks: async () => {
    const { passed, failed } = await runChecks()
    return { suite: 'checks', passed: passed.length, failures: failed.map((title) => `${title} (its output is above)`) }
  },
  scripts: (filters) => runVitest('scripts', filters),
  contract: (filters) => runVitest('contract', filters),
  demo: (filters) => runVitest('demo', filters),
  server: (filters) => runVitest('server', filters),
  web: (filters) => runVitest('web', filters),
  e2e: runPlaywright,
  long: runLong,
}
const ORDINARY = Object.keys(SUITES).filter((name) => name !== 'long')

process.exit(await main(process.argv.slice(2)))

/** @param {string[]} args */
async function main(args) {
  const named = args.filter((arg) => arg in SUITES)
  const filters = args.filter((arg) => !(arg in SUITES))
  if (filters.length > 0 && named.length !== 1) {
    console.error(`usage: npm test [-- ${Object.keys(SUITES).join('|')} [file filters]]`)
    return 2
  }
  const outcomes = await runSuites(named.length > 0 ? named : ORDINARY, filters)
  const { lines, isGreen } = summarize(outcomes)
  console.log(`\n${lines.join('\n')}`)
  return isGreen ? 0 : 1
}

/** @param {string[]} names @param {string[]} filters */
async function runSuites(names, filters) {
  /** @type {Outcome[]} */
  const outcomes = []
  try {
    await installPackages()
    mkdirSync(REPORTS, { recursive: true })
  } catch (error) {
    return [crashed('set-up', error)]
  }
  if (!names.includes('long')) chooseMemoryFolder()
  for (const [name, runSuite] of Object.entries(SUITES)) {
    if (!names.includes(name)) continue
    say(`suite ${name}`)
    outcomes.push(await runSuite(filters).catch((error) => crashed(name, error)))
  }
  return outcomes
}

/** Makes the memory folder the folder of temporary files, unless TMPDIR names another one. Tests run programs from it. */
function chooseMemoryFolder() {
  if (process.env.TMPDIR !== undefined || !existsSync(MEMORY_FOLDER)) return
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  if (mounts.some((line) => line.split(' ')[1] === MEMORY_FOLDER && line.includes('noexec'))) return
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  if (Math.min(bavail * bsize, process.availableMemory()) >= MEMORY_BYTES) process.env.TMPDIR = MEMORY_FOLDER
}

/** Of a whole suite, files in which a test failed run once more, as in the browser. @param {string} suite @param {string[]} filters */
async function runVitest(suite, filters) {
  const first = await runFiles(suite, filters)
  const failed = failedFiles(first.report)
  // What fails by the timing of a busy machine passes alone; a fault of the product fails again. Many failures are not timing.
  if (failed.length === 0 || failed.length > MAX_FILES_AGAIN || filters.length > 0)
    return closeOutcome(readVitest(suite, first.report), first.code)
  say(`suite ${suite}: failed files once more`)
  const second = await runFiles(suite, failed)
  return closeOutcome(readVitestTwice(suite, first.report, second.report), second.code)
}

/** @param {string} suite @param {string[]} filters */
async function runFiles(suite, filters) {
  const file = freshReport(suite)
  const workers = suite === 'server' ? SERVER_WORKERS : WORKERS
  const args = ['run', '--root', suite, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await run(tool('vitest'), [...args, `--maxWorkers=${workers}`, ...filters], { limitMs: SUITE_LIMIT_MS })
  return { code, report: readReport(file) }
}

/** Runs the long tests one after another, because tests that kill processes under load need the whole machine. @param {string[]} filters */
async function runLong(filters) {
  const file = freshReport('long')
  const args = ['run', '--root', 'server', '--config', 'vitest.long.config.ts', '--reporter=default', '--reporter=json']
  const code = await run(tool('vitest'), [...args, `--outputFile.json=${file}`, ...filters], {
    env: { ...LONG, ...toolEnvironment() },
    limitMs: LONG_LIMIT_MS,
  })
  return closeOutcome(readVitest('long', readReport(file)), code)
}

/** @param {string[]} filters */
async function runPlaywright(filters) {
  const chromium = await ensureChromium()
  await buildScreens()
  const file = freshReport('e2e')
  const code = await run(tool('playwright'), ['test', '--reporter=list,json', `--workers=${WORKERS}`, ...filters], {
    cwd: join(ROOT, 'e2e'),
    env: toolEnvironment({ CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file }),
    limitMs: SUITE_LIMIT_MS,
  })
  return closeOutcome(readPlaywright('e2e', readReport(file)), code)
}

/** Deletes the report of an earlier run. @param {string} suite */
function freshReport(suite) {
  const file = join(REPORTS, `${suite}.json`)
  rmSync(file, { force: true })
  return file
}

/** @param {string} file */
function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** @param {string} suite @param {unknown} error @returns {Outcome} */
function crashed(suite, error) {
  return { suite, passed: 0, failures: [String(error)] }
}
