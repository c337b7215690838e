// `npm start`: runs the server that the environment configures.

import { loadConfig } from './config.ts'
import { runProcess } from './run.ts'

runProcess((isOffline) => loadConfig(undefined, undefined, isOffline))
