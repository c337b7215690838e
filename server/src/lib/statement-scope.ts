// The statement scope: how long a statement may run in PostgreSQL or ClickHouse, and which request it belongs to. Each statement reads it from the
// asynchronous context, so that no caller can forget it.

import { AsyncLocalStorage } from 'node:async_hooks'

/** Seconds after which the engine ends a statement. Kinds of equal length share connections without resetting them. */
export const STATEMENT_SECONDS = {
  /** One page of a list. The deepest page of the largest list takes one second; proxies give up after 100. */
  list: 30,
  /** The options of a select: a list with fewer columns. */
  lookup: 30,
  /** Any other statement of a request: sign-in, single rows, saves. It may wait for the row locks of a bulk change. */
  request: 30,
  /** A report query in ClickHouse: a year of clicks in four levels takes ten seconds. */
  report: 60,
  /** A list as a file: the statement stays open while the client downloads, however slowly. */
  export: 3600,
  /** Loops of tracker and facts, start and commands: they read in portions, the largest of which takes a minute. */
  background: 600,
  /** A job: longer than any job may take, so that the queue's limit applies first. */
  job: 3600,
  /** Maintenance of the job queue. */
  queue: 300,
  /** A batch of clicks: the tracker reconnects after 5 s and then waits until the batch has ended. */
  clicks: 30,
  /** Facts written to ClickHouse. */
  facts: 600,
  /** A migration may build an index on hundreds of millions of rows, or wait for another server that does. */
  migration: 21_600,
} as const

export type StatementKind = keyof typeof STATEMENT_SECONDS

export interface StatementScope {
  readonly kind: StatementKind
  /** Ends the running statement when aborted. Undefined: statements run to their end. */
  readonly signal: AbortSignal | undefined
}

const scopes = new AsyncLocalStorage<StatementScope>()
const BACKGROUND: StatementScope = { kind: 'background', signal: undefined }

/**
 * Runs `work`; every statement that it sends, also later, has this kind and ends when the signal aborts. The default is the signal of the
 * surrounding scope. Pass a signal only for reads, because a change that has begun must finish without its caller.
 */
export const withStatementScope = <T>(kind: StatementKind, work: () => T, signal = currentScope().signal): T =>
  scopes.run({ kind, signal }, work)

/** The scope of the statement about to be sent; `background` outside of any. */
export function currentScope(): StatementScope {
  return scopes.getStore() ?? BACKGROUND
}
