// Gives the terminal to another program: its output, its signals and its exit code are this process's own.
import { spawn } from 'node:child_process'
import { ROOT, signalNumber, toolEnvironment } from './root.mjs'

/** @type {NodeJS.Signals[]} */
const PASSED_ON = ['SIGTERM', 'SIGHUP', 'SIGINT']
const SAME_REQUEST_MS = 500

/** @param {string} command @param {string[]} args */
export function handOver(command, args) {
  const child = spawn(command, args, { cwd: ROOT, env: toolEnvironment(), stdio: 'inherit' })
  // A Ctrl-C in a terminal reaches the child by itself: the terminal sends it to the whole group.
  const isTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY)
  let passedOnAt = 0
  for (const signal of PASSED_ON) {
    process.on(signal, () => {
      if (signal === 'SIGINT' && isTerminal) return
      // One request to stop may arrive by several ways, from npm and from the group; a second one means "at once" to the child.
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
