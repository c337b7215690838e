// What every part of a running server is given, and what a part is.

import type { Registry } from 'prom-client'
import type { ApiApp } from './api/app.ts'
import type { Readiness } from './api/readiness.ts'
import type { Clickhouse } from './clickhouse/client.ts'
import type { Config, Role } from './config.ts'
import type { AnyJob } from './jobs/registry.ts'
import type { Jobs } from './jobs/runner.ts'
import type { Logger } from './lib/log.ts'
import type { Postgres } from './postgres/client.ts'

export interface Services {
  readonly config: Config
  readonly log: Logger
  readonly postgres: Postgres
  readonly clickhouse: Clickhouse
  readonly jobs: Jobs
  readonly metrics: Registry
  readonly readiness: Readiness
}

/** Works on the record of a server that runs, here or elsewhere; what it says goes to the terminal. */
export type Command = (postgres: Postgres, say: (line: string) => void) => Promise<void>

export interface RunningPart {
  stop(): Promise<void>
}

/** A piece of the product that plugs into the server: each has one entry in parts.ts. */
export interface Part {
  readonly name: string
  /** It runs in a process that has any of these roles. */
  readonly roles: readonly Role[]
  /** In the order of the list; what it returns is stopped in reverse, when requests in flight are finished. */
  start?(services: Services): Promise<RunningPart | undefined>
  /** Below /api: checked by zod, with headers of safety and compression. */
  routes?(app: ApiApp, services: Services): void | Promise<void>
  /** At the root and bare: nothing runs before the handler. */
  bareRoutes?(app: ApiApp, services: Services): void | Promise<void>
  /** Handled where the role worker is; enqueued from anywhere. */
  readonly jobs?: readonly AnyJob[]
  /** By the name that follows the program's at the terminal. */
  readonly commands?: Readonly<Record<string, Command>>
  /** When the server listens. */
  ready?(services: Services, url: string): Promise<void>
}
