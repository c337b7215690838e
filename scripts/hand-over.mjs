// Runs another program in place of this process: passes on its output, signals and exit code.
import { spawn } from 'node:child_process'
import { ROOT, signalNumber, toolEnvironment } from './root.mjs'

/** @type {NodeJS.Signals[]} */
const PASSED_ON = ['SIGTERM', 'SIGHUP', 'SIGINT']
/** The server treats signals within this time as one, too (`server/src/run.ts`). */
const SAME_REQUEST_MS = 1000

/** @param {string} command @param {string[]} args */
export function handOver(command, args) {
  const child = spawn(command, args, { cwd: ROOT, env: toolEnvironment(), stdio: 'inherit' })
  // A terminal sends Ctrl-C to the whole process group, so the child gets it without this process.
  const isTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
  let passedOnAt = 0
  for (const signal of PASSED_ON) {
    process.on(signal, () => {
      if (signal === 'SIGINT' && isTerminal) return
      // npm and the process group may both deliver one request to stop. To the child, a second one means "at once".
      if (Date.now() - passedOnAt < SAME_REQUEST_MS) return
      passedOnAt = Date.now()
      child.kill(signal)
    })
  }
  child.once('error', (error) => {
    console.error(String(error))
    process.exit(1)
  })
  child.once('exit', (code, signal) => process.exit(code ?? 128 + signalNumber(signal)))
}
