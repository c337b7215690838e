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
  readSize(env)
  readCloses(env)
  readHasVisitors(env)
  const config = loadConfig(env, DEFAULTS)
  const { email, password, secret } = accountOf(config) ?? keepAccount(join(config.dataDir, 'demo.json'))
  return { ...config, adminEmail: email, adminPassword: password, adminTotpSecret: secret }
}

/** How large a network the demo makes. Throws StartError. */
export function readSize({ DEMO_SIZE: size = 'full' }: Environment): DemoSize {
  if (size === 'small' || size === 'full') return size
  throw new StartError(`DEMO_SIZE=${size} is neither small nor full`)
}

/** Whether the demo's months are closed. Tests that change terms and spend of earlier days leave them open. Throws StartError. */
export function readCloses({ DEMO_MONTHS: months = 'closed' }: Environment): boolean {
  if (months === 'closed' || months === 'open') return months === 'closed'
  throw new StartError(`DEMO_MONTHS=${months} is neither closed nor open`)
}

/** Whether visitors come while the demo runs. Tests that compare two looks at the same rows send their own. Throws StartError. */
export function readHasVisitors({ DEMO_VISITORS: visitors = 'live' }: Environment): boolean {
  if (visitors === 'live' || visitors === 'none') return visitors === 'live'
  throw new StartError(`DEMO_VISITORS=${visitors} is neither live nor none`)
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
