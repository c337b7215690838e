// `npm run demo`: a server with a simulated network.

import { runProcess } from '../server/src/run.ts'
import { readDemoConfig, readDemoOptions } from './config.ts'
import { startDemo } from './start.ts'

runProcess(
  () => readDemoConfig(process.env),
  (server, stopping) => startDemo(server, readDemoOptions(process.env), stopping),
)
