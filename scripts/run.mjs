// `npm run demo`, `npm start` and the other commands of the product: prepares what is missing, then hands over
// to the server under the installed Node. Signals and the exit code pass through unchanged.
import { spawn } from 'node:child_process'
import { buildScreens, installPackages } from './bootstrap.mjs'
import { ROOT, signalNumber, tool, toolEnvironment } from './root.mjs'

const MAIN = 'server/src/main.ts'
/** @type {Record<string, { args: string[], hasScreens: boolean }>} */
const COMMANDS = {
  demo: { args: [MAIN, '--demo'], hasScreens: true },
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
handOver([...command.args, ...rest])

/** @param {string[]} args */
function handOver(args) {
  const child = spawn(tool('node'), args, { cwd: ROOT, env: toolEnvironment(), stdio: 'inherit' })
  for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGTERM', 'SIGHUP', 'SIGINT'])) {
    process.on(signal, () => {
      // A Ctrl-C in a terminal has reached the child already: the terminal sends it to the whole group.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.once('error', (error) => {
    console.error(String(error))
    process.exit(1)
  })
  child.once('exit', (code, signal) => process.exit(code ?? 128 + signalNumber(signal)))
}
