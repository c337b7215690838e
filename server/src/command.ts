// Runs a terminal command (`npm run facts:rebuild`) on the database of a running server; without one it starts only what writes facts.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { StartError } from './lib/app-error.ts'
import { DirectoryInUseError } from './lib/directory-lock.ts'
import type { Logger } from './lib/log.ts'
import { connectPostgres } from './postgres/client.ts'
import { findEmbeddedPostgres } from './postgres/embedded.ts'
import { startForCommand } from './server.ts'
import type { Command, OfflineCommand, ServerModule } from './server-module.ts'

export interface CommandContext {
  config: Config
  log: Logger
  modules: readonly ServerModule[]
  args: readonly string[]
  say: (line: string) => void
  /** Aborted by the first signal: the command ends, and the server that it started stops. */
  stopping: AbortSignal
}

const offlineCommandsOf = (modules: readonly ServerModule[]): Record<string, OfflineCommand> =>
  Object.assign({}, ...modules.map((module) => module.offlineCommands))

export const isOfflineCommand = (name: string, modules: readonly ServerModule[]): boolean =>
  Object.hasOwn(offlineCommandsOf(modules), name)

const commandsOf = (modules: readonly ServerModule[]): Record<string, Command> =>
  Object.assign({}, ...modules.map((module) => module.commands))

/**
 * Throws StartError if a command that works on an installation finds none. It is called before anything is written, because a restore refuses
 * a folder that holds anything.
 */
export function requireInstallation(
  name: string,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  modules: readonly ServerModule[],
): void {
  if (databaseUrl !== undefined || !Object.hasOwn(commandsOf(modules), name)) return
  if (!existsSync(join(dataDir, 'postgres')))
    throw new StartError(`DATA_DIR=${dataDir} holds no installation: set DATA_DIR as for the server`)
}

export async function runCommand(name: string, context: CommandContext): Promise<void> {
  const { config, log, modules, stopping } = context
  const offline = offlineCommandsOf(modules)
  const alone = Object.hasOwn(offline, name) ? offline[name] : undefined
  if (alone !== undefined) return untilStopped(alone(context), stopping, 'given up before its end')
  const commands = commandsOf(modules)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined)
    throw new StartError(
      `no command "${name}": there are ${[...Object.keys(commands), ...Object.keys(offline)].join(', ')}`,
    )
  try {
    const server = await startForCommand(config, log, modules)
    try {
      const work = command(server.services.postgres, context.say, context.args)
      await untilStopped(
        work,
        stopping,
        'given up before its end; the next start of the server does what was requested',
      )
    } finally {
      await server.stop()
    }
  } catch (error) {
    if (!(error instanceof DirectoryInUseError)) throw error
    await runBeside(command, context, error)
  }
}

async function runBeside(command: Command, context: CommandContext, reason: DirectoryInUseError): Promise<void> {
  const { config, log, stopping } = context
  const url = config.databaseUrl ?? findEmbeddedPostgres(config.dataDir)
  if (url === undefined) throw reason
  const postgres = connectPostgres(url, log)
  try {
    const work = command(postgres, context.say, context.args)
    await untilStopped(work, stopping, 'no longer waiting; the running server does what was requested')
  } finally {
    await postgres.close()
  }
}

/** Throws StartError with `said` if a signal comes before the end of the work. */
function untilStopped(work: Promise<void>, stopping: AbortSignal, said: string): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>()
  const stop = (): void => reject(new StartError(said))
  if (stopping.aborted) stop()
  stopping.addEventListener('abort', stop, { once: true })
  return Promise.race([work, promise])
}
