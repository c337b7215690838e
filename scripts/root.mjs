// Where the house stands and how its own tools are started: always with node_modules/.bin first in PATH,
// so that the installed Node runs them whatever Node started this script.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const CACHE = join(ROOT, '.cache')
const BIN = join(ROOT, 'node_modules', '.bin')

/** @param {string} name */
export const tool = (name) => join(BIN, name)

/** Node keeps what it has compiled between two starts, where nobody has said otherwise. */
const COMPILED = join(CACHE, 'compiled')

/** @param {Record<string, string>} [extra] @returns {NodeJS.ProcessEnv} */
export function toolEnvironment(extra = {}) {
  return { NODE_COMPILE_CACHE: COMPILED, ...process.env, PATH: `${BIN}:${process.env.PATH ?? ''}`, ...extra }
}

/** @param {string} line */
export function say(line) {
  console.log(`▸ ${line}`)
}

/**
 * Runs a command in sight of the user; answers its exit code, 128 + n for a signal.
 * With a limit, the whole process group is ended when it is over, so that nothing stays behind.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, limitMs?: number }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, { cwd = ROOT, env = toolEnvironment(), limitMs } = {}) {
  return new Promise((resolve, reject) => {
    const isGroup = limitMs !== undefined
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: [isGroup ? 'ignore' : 'inherit', 'inherit', 'inherit'],
      detached: isGroup,
    })
    const stopGroup = () => {
      if (child.pid !== undefined && isGroup) endGroup(child.pid)
    }
    const timer = isGroup ? setTimeout(stopGroup, limitMs) : undefined
    process.once('SIGINT', stopGroup).once('SIGTERM', stopGroup)
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearTimeout(timer)
      process.off('SIGINT', stopGroup).off('SIGTERM', stopGroup)
      resolve(code ?? 128 + signalNumber(signal))
    })
  })
}

/** @param {number} pid */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGTERM')
    setTimeout(() => killGroup(pid), 10_000).unref()
  } catch {
    return
  }
}

/** @param {number} pid */
function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    return
  }
}

/** @param {NodeJS.Signals | null} signal */
export function signalNumber(signal) {
  return { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[String(signal)] ?? 1
}
