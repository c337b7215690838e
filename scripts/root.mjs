// The root folder, and how scripts run the installed tools: with node_modules/.bin first in PATH, so that the installed
// Node runs them.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const CACHE = join(ROOT, '.cache')
const BIN = join(ROOT, 'node_modules', '.bin')

/** @param {string} name */
export const tool = (name) => join(BIN, name)

/** Folder of Node's compile cache, unless the environment names another one. */
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
 * Runs a command with its output on the terminal. Returns its exit code, 128 + n for a signal.
 * With a time limit, ends the whole process group when the time is over.
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

/**
 * Runs a command without showing its output; returns its exit code, as `run` does, and its output.
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<{ code: number, output: string }>}
 */
export function collect(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, env: toolEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code: code ?? 128 + signalNumber(signal), output }))
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
