// Gives the terminal to another program: its output, its signals and its exit code are this process's own.
import { spawn } from 'node:child_process'
import { ROOT, signalNumber, toolEnvironment } from './root.mjs'

/** @type {NodeJS.Signals[]} */
const PASSED_ON = ['SIGTERM', 'SIGHUP', 'SIGINT']

/** @param {string} command @param {string[]} args */
export function handOver(command, args) {
  const child = spawn(command, args, { cwd: ROOT, env: toolEnvironment(), stdio: 'inherit' })
  for (const signal of PASSED_ON) {
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
