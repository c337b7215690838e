// `npm start`: the server as the environment describes it.

import { loadConfig } from './config.ts'
import { runProcess } from './run.ts'

runProcess(loadConfig)
