// The process behind the trackers: API, screens, postbacks and jobs, with the embedded ClickHouse. It listens on a socket file.
import { rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { createLog } from '../lib/log.ts'
import type { ProcessReport } from '../lib/process-report.ts'
import { MODULES } from '../modules.ts'
import { startServer } from '../server.ts'
import { startTracing } from '../telemetry.ts'
import { runChild } from './child.ts'

const NICENESS = 5

runChild(async ({ name, config, socketPath }) => {
  const log = createLog(config.logLevel, undefined, name)
  // Where both want the last core, clicks go first.
  setPriority(NICENESS)
  // Left by a killed process.
  rmSync(socketPath, { force: true })
  const stopTracing = await startTracing(config, log, name)
  const others = new Map<string, ProcessReport>()
  const server = await startServer(config, log, { modules: MODULES, socketPath, others })
  return {
    ready: { kind: 'ready', times: server.times },
    drain: () => void server.drain(0),
    async stop() {
      await server.stop()
      await stopTracing()
    },
    onReport: (from, report) => others.set(from, report),
  }
})
