// The type of a server module: a unit that `modules.ts` starts, with routes, jobs and commands.

import type { RouteModule } from './api/app.ts'
import type { Config, Role } from './config.ts'
import type { AnyJob } from './jobs/registry.ts'
import type { Logger } from './lib/log.ts'
import type { Postgres } from './postgres/client.ts'
import type { Services } from './services.ts'

/** A command on PostgreSQL; a server may run at the same time. `say` writes a line to the terminal. */
export type Command = (postgres: Postgres, say: (line: string) => void, args: readonly string[]) => Promise<void>

export interface OfflineContext {
  readonly config: Config
  readonly log: Logger
  readonly say: (line: string) => void
  readonly args: readonly string[]
  readonly modules: readonly ServerModule[]
}

/** A command for which no server is started, and none may run in the same DATA_DIR if it changes it. */
export type OfflineCommand = (context: OfflineContext) => Promise<void>

export interface StartedModule {
  stop(): Promise<void>
}

export interface ServerModule extends RouteModule {
  readonly name: string
  /** The module runs in processes that have any of these roles. */
  readonly roles: readonly Role[]
  /** Modules start in the order of their list and stop in reverse, once requests in flight are finished. */
  start?(services: Services): Promise<StartedModule | undefined>
  /** Jobs that workers run; every process can enqueue them. */
  readonly jobs?: readonly AnyJob[]
  /** Terminal commands by name. */
  readonly commands?: Readonly<Record<string, Command>>
  readonly offlineCommands?: Readonly<Record<string, OfflineCommand>>
  /** Called when the server listens at `url`. */
  onListening?(services: Services, url: string): Promise<void>
}
