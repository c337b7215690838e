// The whole product in a process of its own, its engines beside it, as `npm start` runs it; and an administrator who is signed in.

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'

const ADMIN = { email: 'admin@tributary.test', password: 'Right.Horse7', secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }

/** The administrator that a server makes at its first start. */
export const ADMIN_ENV = {
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  ADMIN_TOTP_SECRET: ADMIN.secret,
}

interface WholeOptions {
  /** Arguments of Node that load something before the server; its process then has a channel for messages. */
  readonly nodeArgs?: readonly string[]
  /** False: the folder holds a network already. */
  readonly makesNetwork?: boolean
  readonly env?: Readonly<Record<string, string>>
}

/** The environment of a product to be measured. */
export const productEnv = (dataDir: string) => ({
  PATH: process.env.PATH,
  // As `npm start` sets it: without it each thread strips the types of its modules again.
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'error',
  TRUST_PROXY: '1',
  UV_THREADPOOL_SIZE: '16',
  ...ADMIN_ENV,
})

export async function startWhole(
  dataDir: string,
  { nodeArgs = [], makesNetwork = true, env = {} }: WholeOptions = {},
): Promise<{ process: ChildProcess; url: string }> {
  const main = join(import.meta.dirname, 'tracker-server.ts')
  const child = spawn(process.execPath, [...nodeArgs, main, '--whole', ...(makesNetwork ? ['--network'] : [])], {
    env: { ...productEnv(dataDir), ...env },
    stdio: ['ignore', 'pipe', 'inherit', ...(nodeArgs.length > 0 ? (['ipc'] as const) : [])],
  })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  for (;;) {
    const url = /^ready (\S+)$/m.exec(output)?.[1]
    if (url !== undefined) return { process: child, url }
    if (child.exitCode !== null) throw new Error(`the server has ended:\n${output}`)
    await sleep(50)
  }
}

export const post = <T>(url: string, path: string, body: object, token?: string): Promise<T> =>
  send<T>(url, 'POST', path, body, token)

/** Throws unless the answer is a success. */
export async function send<T>(url: string, method: string, path: string, body?: object, token?: string): Promise<T> {
  const isJson = body !== undefined && !(body instanceof FormData)
  const answer = await fetch(`${url}/api/${path}`, {
    method,
    headers: {
      ...(isJson && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
  })
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}

export async function signIn(url: string): Promise<string> {
  return (await openSession(url)).token
}

export interface Session {
  readonly token: string
  readonly refreshToken: string
}

export function openSession(url: string): Promise<Session> {
  const code = new TOTP({ secret: Secret.fromBase32(ADMIN.secret) }).generate()
  const { email, password } = ADMIN
  return post<Session>(url, 'token?2fa=true', { email, password, code })
}
