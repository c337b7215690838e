// `npm run demo`, `npm start` and the product's other commands: prepares what is missing, then runs the server under
// the installed Node.
import { buildScreens, installPackages } from './bootstrap.mjs'
import { handOver } from './hand-over.mjs'
import { tool } from './root.mjs'

const MAIN = 'server/src/main.ts'
/** @type {Record<string, { args: string[], hasScreens: boolean }>} */
const COMMANDS = {
  demo: { args: ['demo/main.ts'], hasScreens: true },
  start: { args: [MAIN], hasScreens: true },
  'facts:rebuild': { args: [MAIN, 'facts:rebuild'], hasScreens: false },
  bench: { args: ['bench/main.ts'], hasScreens: true },
}

const [name = '', ...rest] = process.argv.slice(2)
const command = COMMANDS[name]
if (command === undefined) {
  console.error(`unknown command '${name}', one of: ${Object.keys(COMMANDS).join(', ')}`)
  process.exit(2)
}
try {
  await installPackages()
  if (command.hasScreens) await buildScreens()
} catch (error) {
  console.error(String(error))
  process.exit(1)
}
handOver(tool('node'), [...command.args, ...rest])
