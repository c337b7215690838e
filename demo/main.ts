// `npm run demo`: a server with a simulated network.

import { runProcess } from '../server/src/run.ts'
import { readCloses, readDemoConfig, readHasVisitors, readSize } from './config.ts'
import { startDemo } from './start.ts'

runProcess(
  () => readDemoConfig(process.env),
  (server, stopping) =>
    startDemo(
      server,
      {
        size: readSize(process.env),
        closesMonths: readCloses(process.env),
        hasVisitors: readHasVisitors(process.env),
      },
      stopping,
    ),
)
