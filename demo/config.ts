// The environment of a demo: the server's own, with other defaults, an administrator that the demo makes, DEMO_SIZE, DEMO_MONTHS
// and DEMO_VISITORS.

import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTwoFactorSecret } from '../server/src/access/two-factor.ts'
import { type Config, loadConfig } from '../server/src/config.ts'
import { StartError } from '../server/src/lib/app-error.ts'

type Environment = Readonly<Record<string, string | undefined>>
export type DemoSize = 'small' | 'full'

export interface Account {
  readonly email: string
  readonly password: string
  /** Base32, of the second factor. */
  readonly secret: string
}

/** The partners' servers and the visitors are on this machine, and the terminal is for the person who watches it. */
const DEFAULTS = { ALLOW_PRIVATE_TARGETS: '1', TRUST_PROXY: '1', LOG_LEVEL: 'warn' }

/** Throws StartError. */
export function readDemoConfig(env: Environment): Config {
  readDemoOptions(env)
  const config = loadConfig(env, DEFAULTS)
  const { email, password, secret } = accountOf(config) ?? keepAccount(join(config.dataDir, 'demo.json'))
  return { ...config, adminEmail: email, adminPassword: password, adminTotpSecret: secret }
}

export interface DemoOptions {
  readonly size: DemoSize
  /** Past months are closed. Tests that change terms and spend of earlier days leave them open. */
  readonly closesMonths: boolean
  /** Visitors come while the demo runs. Tests that read the same rows twice send their own. */
  readonly hasVisitors: boolean
}

/** Throws StartError. */
export function readDemoOptions({
  DEMO_SIZE: size = 'full',
  DEMO_MONTHS: months = 'closed',
  DEMO_VISITORS: visitors = 'live',
}: Environment): DemoOptions {
  if (size !== 'small' && size !== 'full') throw new StartError(`DEMO_SIZE=${size} is neither small nor full`)
  if (months !== 'closed' && months !== 'open') throw new StartError(`DEMO_MONTHS=${months} is neither closed nor open`)
  if (visitors !== 'live' && visitors !== 'none')
    throw new StartError(`DEMO_VISITORS=${visitors} is neither live nor none`)
  return { size, closesMonths: months === 'closed', hasVisitors: visitors === 'live' }
}

export function accountOf({ adminEmail, adminPassword, adminTotpSecret }: Config): Account | undefined {
  if (adminEmail === undefined || adminPassword === undefined || adminTotpSecret === undefined) return undefined
  return { email: adminEmail, password: adminPassword, secret: adminTotpSecret }
}

/** The demo's own administrator, in a file that only its owner reads. */
function keepAccount(path: string): Account {
  // Only this function writes the file.
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Account
  const account: Account = { email: 'admin@tributary.example', password: makePassword(), secret: makeTwoFactorSecret() }
  writeFileSync(path, JSON.stringify(account), { mode: 0o600 })
  return account
}

/** A password that is easy to type and satisfies the rules. */
function makePassword(): string {
  const words = ['River', 'Harbor', 'Delta', 'Current', 'Stream', 'Bridge', 'Island', 'Meadow']
  return `${words[randomInt(words.length)]}.${words[randomInt(words.length)]}${randomInt(100, 1000)}!`
}
