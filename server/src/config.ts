// Reads the environment; no other file does. Every variable is optional. An invalid value stops the start with a line that names it.

import { randomBytes } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { StartError, textOf } from './lib/app-error.ts'

export const ROLES = ['api', 'tracker', 'worker'] as const
export type Role = (typeof ROLES)[number]

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const urlOf = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol.slice(0, -1)), {
    error: `is not an address that starts with ${protocols.map((name) => `${name}://`).join(' or ')}`,
  })

const baseUrl = urlOf('http', 'https').transform((text) => text.replace(/\/+$/, ''))

const roles = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(ROLES, { error: `is not a list of ${ROLES.join(', ')}` })))
  .transform((list) => [...new Set(list)])

const ENVIRONMENT = z.object({
  PORT: z
    .string()
    .regex(/^\d+$/, 'is not a port number from 0 to 65535')
    .transform(Number)
    .refine((port) => port <= 65_535, 'is not a port number from 0 to 65535')
    .default(8080),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: urlOf('postgres', 'postgresql').optional(),
  CLICKHOUSE_URL: urlOf('http', 'https').optional(),
  CLICKHOUSE_CLUSTER: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, "is not a cluster's name")
    .optional(),
  CLICKHOUSE_STORAGE_POLICY: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, "is not a policy's name")
    .optional(),
  CLICKHOUSE_COLD_VOLUME: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, "is not a volume's name")
    .optional(),
  CLICKHOUSE_COLD_AFTER_MONTHS: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, 'is not a number of months from 1 to 999')
    .transform(Number)
    .default(3),
  ROLES: roles.default([...ROLES]),
  TRACKERS: z
    .string()
    .regex(/^(\d|1[0-6])$/, 'is not a number of processes from 0 to 16')
    .transform(Number)
    .optional(),
  PUBLIC_URL: baseUrl.optional(),
  TRACKER_URL: baseUrl.optional(),
  SECRET: z.string().min(32, 'is shorter than 32 characters').optional(),
  ADMIN_EMAIL: z.email('is not an e-mail address').optional(),
  ADMIN_PASSWORD: z.string().min(8, 'is shorter than 8 characters').optional(),
  ADMIN_TOTP_SECRET: z
    .string()
    .regex(/^[A-Z2-7]{16,}=*$/, 'is not a Base32 secret of 16 characters or more')
    .optional(),
  SMTP_URL: urlOf('smtp', 'smtps').optional(),
  MAIL_FROM: z.email('is not an e-mail address').optional(),
  ALLOW_PRIVATE_TARGETS: z
    .enum(['0', '1'], { error: 'is neither 0 nor 1' })
    .transform((text) => text === '1')
    .default(false),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `is none of ${LOG_LEVELS.join(', ')}` }).default('info'),
  GEOIP_DB_PATH: z.string().optional(),
  BACKUP_TARGET: z
    .string()
    .refine(
      (target) => isAbsolute(target) || /^s3:\/\/[^/]/.test(target),
      'is neither an absolute path nor s3://bucket/folder',
    )
    .optional(),
  BACKUP_PASSPHRASE: z.string().min(12, 'is shorter than 12 characters').optional(),
  CLOSE_INTERNAL_PAGES: z.enum(['0', '1'], { error: 'is neither 0 nor 1' }).optional(),
  DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,3}$/, 'is not a number of seconds from 0 to 999')
    .transform(Number)
    .default(5),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional(),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'is not a number from 0 to 1')
    .transform(Number)
    .default(1),
  TRUST_PROXY: z.string().regex(/^\d$/, 'is not a number of proxies from 0 to 9').transform(Number).default(0),
})

/** Variables whose values error messages do not repeat. */
const SECRET_VALUES = new Set([
  'SECRET',
  'ADMIN_PASSWORD',
  'ADMIN_TOTP_SECRET',
  'DATABASE_URL',
  'CLICKHOUSE_URL',
  'SMTP_URL',
  'BACKUP_PASSPHRASE',
])

export interface Config {
  port: number
  /** Absolute path of an existing, writable folder. */
  dataDir: string
  /** Undefined: PostgreSQL runs embedded under dataDir. */
  databaseUrl: string | undefined
  /** Undefined: ClickHouse runs embedded in this process under dataDir. */
  clickhouseUrl: string | undefined
  clickhouseCluster: string | undefined
  /** Undefined: tables keep the storage policy of the server. */
  clickhouseTiers: { policy: string; coldVolume: string | undefined; coldAfterMonths: number } | undefined
  roles: readonly Role[]
  /** Number of processes that answer clicks, beside one for everything else; 0: one process does everything. */
  trackers: number
  /** Set in the process behind the trackers: the key by which they identify themselves. Their requests carry the client's address. */
  trackerKey?: string
  /** Without a trailing slash, like trackerUrl. */
  publicUrl: string
  trackerUrl: string
  /** Empty for an offline command if the environment has none. */
  secret: string
  adminEmail: string | undefined
  adminPassword: string | undefined
  adminTotpSecret: string | undefined
  /** Undefined: mails are written to dataDir/mail. */
  smtpUrl: string | undefined
  /** Sender address of mails. */
  mailFrom: string
  allowPrivateTargets: boolean
  logLevel: (typeof LOG_LEVELS)[number]
  /** Undefined: the bundled data set. */
  geoipDbPath: string | undefined
  /** Number of the operator's proxies before the server, each of which adds an address to X-Forwarded-For. */
  trustProxy: number
  /** Place of the scheduled back-ups; without it there are none. */
  backupTarget: string | undefined
  /** Seals the secret in back-ups; without it none can be made. */
  backupPassphrase: string | undefined
  /** Metrics and the description of the API answer addresses inside only. */
  closesInternalPages: boolean
  /** After SIGTERM the server is not ready but still answers for so long, so that load balancers notice. */
  drainSeconds: number
  /** Base address of the collector of traces; without it there are none. */
  tracesTo: string | undefined
  /** Share of the traces that is recorded, from 0 to 1. */
  tracedShare: number
}

/** Reads and validates the environment. Creates DATA_DIR and, if none is given, the secret; not for an offline command. Throws StartError. */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  defaults: Readonly<Record<string, string>> = {},
  isOffline = false,
): Config {
  const given = readEnvironment({ ...defaults, ...env })
  const dataDir = isOffline ? resolve(given.DATA_DIR) : prepareDirectory(given.DATA_DIR)
  const publicUrl = given.PUBLIC_URL ?? `http://localhost:${given.PORT}`
  const config: Config = {
    port: given.PORT,
    dataDir,
    databaseUrl: given.DATABASE_URL,
    clickhouseUrl: given.CLICKHOUSE_URL,
    clickhouseCluster: given.CLICKHOUSE_CLUSTER,
    clickhouseTiers:
      given.CLICKHOUSE_STORAGE_POLICY === undefined
        ? undefined
        : {
            policy: given.CLICKHOUSE_STORAGE_POLICY,
            coldVolume: given.CLICKHOUSE_COLD_VOLUME,
            coldAfterMonths: given.CLICKHOUSE_COLD_AFTER_MONTHS,
          },
    roles: given.ROLES,
    trackers: given.TRACKERS ?? (given.ROLES.length < ROLES.length ? 0 : 1),
    publicUrl,
    trackerUrl: given.TRACKER_URL ?? publicUrl,
    secret: given.SECRET ?? (isOffline ? '' : readOrCreateSecret(join(dataDir, 'secret'))),
    adminEmail: given.ADMIN_EMAIL,
    adminPassword: given.ADMIN_PASSWORD,
    adminTotpSecret: given.ADMIN_TOTP_SECRET,
    smtpUrl: given.SMTP_URL,
    mailFrom: given.MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}`,
    allowPrivateTargets: given.ALLOW_PRIVATE_TARGETS,
    logLevel: given.LOG_LEVEL,
    geoipDbPath: given.GEOIP_DB_PATH,
    trustProxy: given.TRUST_PROXY,
    backupTarget: given.BACKUP_TARGET,
    backupPassphrase: given.BACKUP_PASSPHRASE,
    closesInternalPages:
      given.CLOSE_INTERNAL_PAGES === undefined ? !isLocal(publicUrl) : given.CLOSE_INTERNAL_PAGES === '1',
    drainSeconds: given.DRAIN_SECONDS,
    tracesTo: given.OTEL_EXPORTER_OTLP_ENDPOINT,
    tracedShare: given.OTEL_TRACES_SAMPLER_ARG,
  }
  rejectContradictions(config)
  return config
}

/** Number of trusted proxies before this process: the operator's, and the tracker process if there is one. */
export const countHops = ({ trustProxy, trackerKey }: Pick<Config, 'trustProxy' | 'trackerKey'>): number =>
  trustProxy + (trackerKey === undefined ? 0 : 1)

const isLocal = (url: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)

function readEnvironment(env: Readonly<Record<string, string | undefined>>): z.output<typeof ENVIRONMENT> {
  const set = Object.entries(env).filter(
    ([name, value]) => name in ENVIRONMENT.shape && value !== undefined && value !== '',
  )
  const parsed = ENVIRONMENT.safeParse(Object.fromEntries(set))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const name = String(issue?.path[0])
  throw new StartError(`${name}${SECRET_VALUES.has(name) ? '' : `=${env[name]}`} ${issue?.message}`)
}

function rejectContradictions(config: Config): void {
  const roles = `ROLES=${config.roles.join(',')}`
  if (config.roles.length < ROLES.length) {
    const missing = [
      ...(config.databaseUrl === undefined ? ['DATABASE_URL'] : []),
      ...(config.clickhouseUrl === undefined ? ['CLICKHOUSE_URL'] : []),
    ]
    if (missing.length > 0) {
      throw new StartError(
        `${roles} needs ${missing.join(' and ')}: an embedded engine belongs to the one process that has all roles`,
      )
    }
  }
  if (config.trackers > 0 && config.roles.length < ROLES.length) {
    throw new StartError(`TRACKERS=${config.trackers} needs all roles: with ${roles}, start a process for each`)
  }
  if (config.clickhouseCluster !== undefined && config.clickhouseUrl === undefined) {
    throw new StartError(`CLICKHOUSE_CLUSTER=${config.clickhouseCluster} needs CLICKHOUSE_URL`)
  }
  if (config.clickhouseTiers !== undefined && config.clickhouseUrl === undefined) {
    throw new StartError(`CLICKHOUSE_STORAGE_POLICY=${config.clickhouseTiers.policy} needs CLICKHOUSE_URL`)
  }
  if (config.geoipDbPath !== undefined && !existsSync(config.geoipDbPath)) {
    throw new StartError(`GEOIP_DB_PATH=${config.geoipDbPath} does not exist`)
  }
}

/** Creates the folder if it is missing. Returns its absolute path. Throws StartError if it cannot be used. */
export function prepareDirectory(path: string): string {
  const directory = resolve(path)
  const file = fileOnTheWay(directory)
  if (file === directory) throw new StartError(`DATA_DIR=${path} is a file: name a folder`)
  if (file !== undefined) throw new StartError(`DATA_DIR=${path} cannot be a folder: ${file} is a file`)
  try {
    makeDirectories(directory)
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(`DATA_DIR=${path} cannot be used: ${textOf(error)}`)
  }
  return directory
}

/** The file that stands where the folder or one above it would be. */
function fileOnTheWay(directory: string): string | undefined {
  for (let path = directory; ; path = dirname(path)) {
    try {
      return statSync(path).isDirectory() ? undefined : path
    } catch {
      // It does not exist, or cannot be looked at.
      if (path === dirname(path)) return undefined
    }
  }
}

/** Node's own recursive mkdir never returns on file systems that refuse new entries with ENOENT, such as /proc. */
function makeDirectories(directory: string): void {
  const parent = dirname(directory)
  if (parent !== directory && !existsSync(parent)) makeDirectories(parent)
  try {
    mkdirSync(directory)
  } catch (error) {
    if (!existsSync(directory)) throw error
  }
}

/** The environment of a child process: the server's own and these variables. */
export const environmentWith = (more: Record<string, string>): NodeJS.ProcessEnv => ({ ...process.env, ...more })

/** The secret in a file that only its owner can read; created at the first start. */
export function readOrCreateSecret(path: string): string {
  if (!existsSync(path)) {
    try {
      writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
    } catch (error) {
      // Two processes may start at once on one folder: the first one's secret counts.
      if (!existsSync(path)) throw error
    }
  }
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length < 32) throw new StartError(`${path} does not hold a secret: remove it to have a new one made`)
  return secret
}
