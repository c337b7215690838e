// An admin who works through faults: a call is repeated until it is answered, and a session is begun anew when it has ended.

import { setTimeout as sleep } from 'node:timers/promises'
import { signInAdmin } from '../support/crash-report.ts'
import { send } from '../support/sign-in.ts'
import type { Installation } from './installation.ts'

export interface Answer {
  readonly status: number
  // The cast of each reader is correct for the call that it makes.
  readonly body: unknown
}

export interface Admin {
  /** One try; undefined if there was no answer, or one that says to come back. */
  tryOnce(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer | undefined>
  /** Repeats the call until it is answered; only for calls that may be repeated. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  token(): Promise<string>
  /** The session has ended. */
  forget(): void
}

const GIVE_UP_MS = 240_000
const LONGEST_CALL_MS = 90_000

export function makeAdmin(installation: Installation): Admin {
  let token: Promise<string> | undefined
  const signIn = (): Promise<string> => {
    token ??= untilSignedIn(installation)
    return token
  }
  const admin: Admin = {
    token: signIn,
    forget() {
      token = undefined
    },
    async tryOnce(method, path, body, headers) {
      const bearer = await signIn()
      try {
        const url = installation.server.url
        const answer = await withLimit(send(url, method, path, body, { authorization: `Bearer ${bearer}`, ...headers }))
        const text = await withLimit(answer.text())
        if (answer.status === 401) token = undefined
        if (answer.status === 401 || answer.status >= 500) return undefined
        return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
      } catch {
        return undefined
      }
    },
    async call(method, path, body, headers) {
      for (const until = Date.now() + GIVE_UP_MS; Date.now() < until; await sleep(150)) {
        const answer = await admin.tryOnce(method, path, body, headers)
        if (answer !== undefined) return answer
      }
      throw new Error(`${method} ${path} was not answered in time`)
    },
  }
  return admin
}

const withLimit = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    sleep(LONGEST_CALL_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('no answer in time'))),
  ])

/** While the clock is shifted, no code would be valid afterwards. */
async function untilSignedIn(installation: Installation): Promise<string> {
  for (const until = Date.now() + GIVE_UP_MS; Date.now() < until; await sleep(300)) {
    if (installation.clockShift !== 0) continue
    const token = await signInAdmin(installation.server.url).catch(() => undefined)
    if (token !== undefined) return token
  }
  throw new Error('nobody can sign in')
}
