// The process: reads the environment, starts the server, says once where it is, and stops in order when it is told to.

// chDB's sessions keep threads of libuv's pool busy for as long as their queries run; files, names and password hashes need their own.
// biome-ignore lint/style/noProcessEnv: written for libuv, which reads it at its first use; nothing here reads it
process.env.UV_THREADPOOL_SIZE ??= '16'

import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from './command.ts'
import { type Config, DEMO_DEFAULTS, loadConfig } from './config.ts'
import { textOf } from './lib/error-text.ts'
import { createLog, type Logger } from './lib/log.ts'
import { StartError } from './lib/start-error.ts'
import { PARTS } from './parts.ts'
import { findClusterHome } from './postgres/cluster-home.ts'
import { type Server, startServer } from './server.ts'
import type { Services } from './services.ts'

/** What the demo network tells the person at the terminal. */
export interface Demo {
  lines: readonly string[]
  stop(): Promise<void>
}

type StartDemo = (services: Services, url: string, stopping: AbortSignal) => Promise<Demo>

async function main(args: readonly string[]): Promise<void> {
  const began = performance.now()
  const isDemo = args.includes('--demo')
  const config = loadConfig(undefined, isDemo ? DEMO_DEFAULTS : {})
  const log = createLog(config.logLevel)
  const stopping = watchSignals(log)
  const [command] = args
  if (command !== undefined && !command.startsWith('--'))
    return runCommand(command, { config, log, parts: PARTS, say, stopping })
  const server = await startServer(config, log, { parts: PARTS })
  let demo: Demo | undefined
  try {
    demo = isDemo ? await loadDemo(server, stopping) : undefined
    if (!stopping.aborted) announce(config, server, demo?.lines ?? [], began)
    await untilAborted(stopping)
    log.info('stopping: requests in flight are finished first')
  } finally {
    await demo?.stop()
    await server.stop()
  }
  log.info('stopped')
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Undefined: it was told to stop before the demo network was there. */
async function loadDemo({ services, url }: Server, stopping: AbortSignal): Promise<Demo | undefined> {
  const path = join(import.meta.dirname, 'demo/start.ts')
  if (!existsSync(path)) throw new StartError('--demo: this build has no demo network')
  const { startDemo }: { startDemo: StartDemo } = await import(path)
  try {
    return await startDemo(services, url, stopping)
  } catch (error) {
    if (stopping.aborted) return undefined
    throw error
  }
}

/** A signal to the process group arrives directly and again from the starting script; both are one request. */
const SAME_REQUEST_MS = 1000

/** The first signal asks the server to stop. A later one ends the process at once and leaves PostgreSQL running. */
function watchSignals(log: Logger): AbortSignal {
  const controller = new AbortController()
  let askedAt = 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted && performance.now() - askedAt < SAME_REQUEST_MS) return
      if (controller.signal.aborted) {
        log.warn({ signal }, 'ended at once')
        process.exit(signal === 'SIGINT' ? 130 : 143)
      }
      askedAt = performance.now()
      controller.abort()
    })
  }
  return controller.signal
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function announce(config: Config, server: Server, demo: readonly string[], began: number): void {
  const seconds = (performance.now() - began) / 1000
  const stages = Object.entries(server.times).map(([name, time]) => `${name} ${time.toFixed(1)} s`)
  const engines = [
    `PostgreSQL ${config.databaseUrl === undefined ? describeEmbedded(config.dataDir) : 'by DATABASE_URL'}`,
    `ClickHouse ${config.clickhouseUrl === undefined ? 'embedded' : 'by CLICKHOUSE_URL'}`,
  ]
  const lines = [
    `Tributary is ready on ${server.url}`,
    `  roles    ${config.roles.join(', ')}`,
    `  data     ${config.dataDir} (${engines.join(', ')})`,
    `  started  in ${seconds.toFixed(1)} s (${stages.join(', ')})`,
    ...demo.map((line) => `  ${line}`),
  ]
  process.stdout.write(`\n${lines.join('\n')}\n\n`)
}

/** Names the folder of the files if it is not in DATA_DIR. */
function describeEmbedded(dataDir: string): string {
  const home = findClusterHome(dataDir)
  return home === undefined || home === join(realpathSync(dataDir), 'postgres') ? 'embedded' : `embedded in ${home}`
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    const said =
      error instanceof Error && !(error instanceof StartError) ? (error.stack ?? error.message) : textOf(error)
    process.stderr.write(`tributary: ${said}
`)
    process.exit(1)
  },
)
