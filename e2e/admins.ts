// The admins of a run: one for each file of tests, made by the first admin of the product.
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import type { Credentials, Product } from './product.ts'

export const STEP_MS = 30_000

/** The code of the second factor in a step of thirty seconds, counted from 1970. */
export function codeAt(secret: string, step: number): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: step * STEP_MS })
}

/** Makes them and passes them on to the files by the environment. Returns the token of the first admin. */
export async function makeAdmins({ baseUrl, credentials: first }: Product): Promise<string> {
  const { token } = await call(baseUrl, 'POST', 'token?2fa=true', {
    ...loginOf(first),
    code: await earlyCode(first.totpSecret),
  })
  const { options } = await call(baseUrl, 'GET', 'user_role?lookup=1&filter[kind]=ADMIN', undefined, String(token))
  const [role] = options as { id: number }[]
  const admins: Record<string, Credentials> = {}
  for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith('.spec.ts'))) {
    const name = file.replace('.spec.ts', '')
    const login = { email: `${name}@tributary.example`, password: first.password }
    const user = { ...login, full_name: `Admin of ${name}`, role: role?.id, enabled: true }
    await call(baseUrl, 'POST', 'user', user, String(token))
    const { totpSecret } = await signInFirst(baseUrl, login)
    admins[file] = { ...login, totpSecret }
  }
  process.env.E2E_ADMINS = JSON.stringify(admins)
  return String(token)
}

/** Signs in for the first time, which sets the code up. */
export async function signInFirst(
  baseUrl: string,
  login: Pick<Credentials, 'email' | 'password'>,
): Promise<{ token: string; totpSecret: string }> {
  const { secret } = await call(baseUrl, 'POST', 'token?2fa=true', login)
  const code = await earlyCode(String(secret))
  const { token } = await call(baseUrl, 'POST', 'token?2fa=true', { ...login, code })
  return { token: String(token), totpSecret: String(secret) }
}

export function adminOf(file: string): Credentials {
  const admins = JSON.parse(process.env.E2E_ADMINS ?? '{}') as Record<string, Credentials>
  const admin = admins[file]
  if (admin === undefined) throw new Error(`${file} has no admin: global-setup.ts makes them`)
  return admin
}

const loginOf = ({ email, password }: Credentials) => ({ email, password })

/** Time in which a sign-in is answered also by a busy machine. */
const ANSWER_MS = 5000

/** The code of the step before, which is accepted until this step ends: that of this step remains for the screens. */
async function earlyCode(secret: string): Promise<string> {
  const left = STEP_MS - (Date.now() % STEP_MS)
  if (left < ANSWER_MS) await sleep(left)
  return codeAt(secret, Math.floor(Date.now() / STEP_MS) - 1)
}

export async function call(
  baseUrl: string,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${baseUrl}/api/${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`)
  return JSON.parse(text)
}
