// A ClickHouse process of its own that can be killed: the real engine behind HTTP.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { atEndOfFile } from './cleanup.ts'
import { makeDirectory } from './harness.ts'

export interface ClickhouseProcess {
  url: string
  /** Folder of its files. */
  directory: string
  /** Sends kill -9 and starts a new process on the same folder and port. */
  killAndRestart(): Promise<void>
}

const PROGRAM = `${import.meta.dirname}/clickhouse-server.ts`

export async function startClickhouseProcess(): Promise<ClickhouseProcess> {
  const directory = makeDirectory()
  let child: ChildProcess | undefined
  async function start(port: string): Promise<string> {
    child = spawn(process.execPath, [PROGRAM, directory, port], { stdio: ['ignore', 'pipe', 'inherit'] })
    if (child.stdout === null) throw new Error('it has no output')
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
    return url
  }
  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  atEndOfFile(kill)
  const url = await start('0')
  return {
    url,
    directory,
    async killAndRestart() {
      await kill()
      await start(new URL(url).port)
    },
  }
}
