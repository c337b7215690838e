// `npm run demo`: a server with a simulated network.

import { runProcess } from '../server/src/run.ts'
import { readDemoConfig, readSize } from './config.ts'
import { startDemo } from './start.ts'

runProcess(
  () => readDemoConfig(process.env),
  (server, stopping) => startDemo(server, readSize(process.env), stopping),
)
