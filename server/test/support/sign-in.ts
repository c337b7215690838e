// How tests become somebody: a new person of a kind, made in the record and signed in over HTTP with both factors.
import type { RoleKind } from '@tributary/contract/access'
import { onTestFinished, vi } from 'vitest'
import { authService } from '../../src/access/auth-service.ts'
import { addPerson } from '../../src/access/first-admin.ts'
import { makeCode, makeTwoFactorSecret } from '../../src/access/two-factor.ts'
import type { Services } from '../../src/services.ts'

export const PASSWORD = 'Right.Horse7'

export interface TestServer {
  readonly url: string
  readonly services: Services
}

export interface SignedIn {
  readonly id: number
  readonly email: string
  /** Base32, confirmed. */
  readonly secret: string
  token: string
  refreshToken: string
  /** `call('GET', 'profile')`: path below /api; the body is sent as JSON. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  /** A GET whose answer goes on until the signal says otherwise. */
  open(path: string, signal: AbortSignal): Promise<Response>
}

let people = 0

/** A new person with a second factor. `partnerId` for the kind PARTNER. */
export async function makePerson({ services }: TestServer, role: RoleKind, partnerId: number | null = null) {
  people += 1
  const email = `${role.toLowerCase()}-${process.pid}-${people}@tributary.test`
  const secret = makeTwoFactorSecret()
  const { keys } = authService.of(services)
  const person = { fullName: `${role} ${people}`, email, password: PASSWORD, role, twoFactorSecret: secret, partnerId }
  const id = await addPerson(services.postgres.db, keys, person)
  return { id, email, secret }
}

export async function signIn(server: TestServer, role: RoleKind, partnerId: number | null = null): Promise<SignedIn> {
  const person = await makePerson(server, role, partnerId)
  const code = makeCode(person.secret, new Date())
  const answer = await send(server.url, 'POST', 'token?2fa=true', { email: person.email, password: PASSWORD, code })
  if (answer.status !== 200) throw new Error(`signing in was answered ${answer.status}: ${await answer.text()}`)
  const pair = (await answer.json()) as { token: string; refreshToken: string }
  const signedIn: SignedIn = {
    ...person,
    ...pair,
    call: (method, path, body, headers) =>
      send(server.url, method, path, body, { authorization: `Bearer ${signedIn.token}`, ...headers }),
    open: (path, signal) =>
      fetch(`${server.url}/api/${path}`, { headers: { authorization: `Bearer ${signedIn.token}` }, signal }),
  }
  return signedIn
}

export function send(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) }
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  return fetch(`${url}/api/${path}`, { method, headers: { ...type, ...headers }, ...content })
}

/**
 * Until the test ends the clock of this process stands still, in the middle of a step of codes: what is computed and what is forgotten with time
 * do not depend on how fast the machine is. The record has a clock of its own, which goes on.
 */
export function stopClock(): void {
  vi.setSystemTime(Date.now() - (Date.now() % 30_000) + 15_000)
  onTestFinished(() => void vi.useRealTimers())
}

/** Codes change every 30 seconds. */
export const STEP_MS = 30_000

/** Waits until codes have changed. */
export const awaitNextStep = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, STEP_MS - (Date.now() % STEP_MS) + 50))
