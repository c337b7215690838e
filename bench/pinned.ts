// Starts servers to be measured on the first core, and measures their CPU time. Without taskset or with one core nothing is pinned.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const TICK_US = 10_000
const PIN = 'taskset'

export interface Started {
  process: ChildProcess
  url: string
  output: string
  stop(): Promise<void>
}

/** Starts a script on the first core and waits until it prints "ready <url>". PostgreSQL, its child, runs there, too. */
export async function start(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  nodeArgs: readonly string[] = [],
): Promise<Started> {
  const command = [process.execPath, ...nodeArgs, join(import.meta.dirname, file), ...args]
  const [program = '', ...rest] = pin(0, command)
  const child = spawn(program, rest, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  const started: Started = {
    process: child,
    url: '',
    output: '',
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
  child.stdout.on('data', (chunk: Buffer) => (started.output += chunk.toString()))
  while (started.url === '') {
    if (child.exitCode !== null) throw new Error(`${file} has ended:\n${started.output}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    started.url = /^ready (\S+)$/m.exec(started.output)?.[1] ?? ''
  }
  return started
}

/** Prefixes a command so that it runs on the core; returns it unchanged with one core or without taskset. */
export const pin = (core: number, command: readonly string[]): readonly string[] =>
  availableParallelism() > 1 && hasTool(PIN) ? [PIN, '-c', String(core), ...command] : command

/** CPU time of the process and all its descendants so far, in microseconds. */
export const cpuMicroseconds = (server: Pick<Started, 'process'>): number => sum([...below(server).values()])

/** CPU time of PostgreSQL's processes below the server so far, in microseconds. */
export const postgresCpuMicroseconds = (server: Started): number =>
  sum([...below(server).values()].filter(({ name }) => name === 'postgres'))

/** Moves PostgreSQL's processes, and those that they start later, to a core. */
export function movePostgres(server: Started, core: number): void {
  if (availableParallelism() < 2 || !hasTool(PIN)) return
  for (const [pid, { name }] of below(server)) {
    if (name === 'postgres') execFileSync(PIN, ['-apc', String(core), String(pid)], { stdio: 'ignore' })
  }
}

interface Stat {
  name: string
  parent: number
  ticks: number
}

const sum = (stats: readonly Stat[]): number => stats.reduce((total, { ticks }) => total + ticks * TICK_US, 0)

function below(server: Pick<Started, 'process'>): Map<number, Stat> {
  const all = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(name) : undefined
    if (stat !== undefined) all.set(Number(name), stat)
  }
  const isBelow = (pid: number): boolean =>
    pid === server.process.pid || (all.has(pid) && isBelow(all.get(pid)?.parent ?? 0))
  return new Map([...all].filter(([pid]) => isBelow(pid)))
}

function readStat(pid: string): Stat | undefined {
  try {
    const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const fields = rest.split(' ')
    return { name, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch {
    return undefined
  }
}

/** Resident memory of a process in bytes. */
export const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

export function hasTool(name: string): boolean {
  try {
    execFileSync('which', [name], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
