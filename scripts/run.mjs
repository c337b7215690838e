// `npm run demo`, `npm start` and the product's other commands: prepares what is missing, then runs the server under
// the installed Node. `npm run build` prepares everything and ends.
import { resolve } from 'node:path'
import { buildScreens, installPackages, NotPreparedError } from './bootstrap.mjs'
import { ensureChromium } from './chromium.mjs'
import { handOver } from './hand-over.mjs'
import { say, tool } from './root.mjs'

const MAIN = 'server/src/main.ts'
/** @type {Record<string, { args?: string[], hasScreens: boolean }>} */
const COMMANDS = {
  build: { hasScreens: true },
  demo: { args: ['demo/main.ts'], hasScreens: true },
  start: { args: [MAIN], hasScreens: true },
  'facts:rebuild': { args: [MAIN, 'facts:rebuild'], hasScreens: false },
  backup: { args: [MAIN, 'backup'], hasScreens: false },
  'backup:verify': { args: [MAIN, 'backup:verify'], hasScreens: false },
  restore: { args: [MAIN, 'restore'], hasScreens: false },
  bench: { args: ['bench/main.ts'], hasScreens: true },
  pictures: { args: ['e2e/pictures.ts'], hasScreens: true },
}

/** Commands whose first argument is a folder, relative to where npm was called. */
const WITH_FOLDER = new Set(['backup', 'backup:verify', 'restore'])

/** deploy/*.service do not start again after this code, which is EX_CONFIG of sysexits.h. */
const NOT_PREPARED = 78

const [name = '', ...given] = process.argv.slice(2)
const rest = WITH_FOLDER.has(name) ? given.map(resolveFolder) : given
const command = COMMANDS[name]
if (command === undefined) {
  console.error(`unknown command '${name}', one of: ${Object.keys(COMMANDS).join(', ')}`)
  process.exit(2)
}
try {
  await installPackages()
  if (command.hasScreens) await buildScreens()
  if (name === 'pictures') process.env.CHROMIUM_PATH = await ensureChromium()
} catch (error) {
  console.error(error instanceof NotPreparedError ? `tributary: ${error.message}` : String(error))
  process.exit(error instanceof NotPreparedError ? NOT_PREPARED : 1)
}
if (command.args === undefined) say('built')
else handOver(tool('node'), [...command.args, ...rest])

/** @param {string} arg */
function resolveFolder(arg) {
  if (arg.startsWith('--') || /^[a-z0-9]+:\/\//.test(arg)) return arg
  return resolve(process.env.INIT_CWD ?? process.cwd(), arg)
}
