// Writes clicks to the inbox over one connection with one batch in flight; clicks that arrive meanwhile form the next batch. There is no timer,
// so a single click does not wait, and a flood forms large batches. A click is confirmed only after its transaction has committed.

import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Connection, type Submittable } from 'pg'
import type { InboxClick } from '../../facts/columns.ts'
import type { Logger } from '../../lib/log.ts'
import { statementTimeout } from '../../postgres/statement-pool.ts'
import { ClickBatch } from './click-batch.ts'

/** Called once: with null when the click is committed, with an error if that could not be confirmed. */
export type Confirm = (error: Error | null) => void

export interface ClickInboxOptions {
  url: string
  log: Logger
  /** Called after a lost connection with the first and last click id of the batch in flight, which may have been committed. */
  onDoubt?: (first: string, last: string) => Promise<void>
  /** The maximum of waiting clicks. */
  bound?: number
}

const MAX_WAITING = 20_000
/** A batch is sent after this many turns of the event loop, so that it includes clicks that follow the answers to the last batch. */
const TURNS = 3
/** If PostgreSQL does not answer a batch in this time, the connection counts as lost. */
const ANSWER_TIMEOUT_MS = 5000
const CHECK_EVERY_MS = 500
/** Without new clicks, a failure is assumed to last this long. */
const FAILED_MS = 5000
const FIRST_DELAY_MS = 50
const LAST_DELAY_MS = 2000

const NOT_OPEN = new Error('PostgreSQL accepts no clicks now')
const FULL = new Error('too many clicks are waiting for PostgreSQL')

class Pending {
  readonly batch = new ClickBatch()
  confirms: Confirm[] = []
  first = ''
  last = ''
  sentAt = 0

  add(click: InboxClick, writer: number, confirm: Confirm): void {
    if (this.confirms.length === 0) this.first = click.id
    this.last = click.id
    this.batch.add(click, writer)
    this.confirms.push(confirm)
  }

  clear(): void {
    this.batch.clear()
    this.confirms = []
  }
}

export class ClickInbox {
  readonly #options: ClickInboxOptions
  readonly #watch: NodeJS.Timeout
  #client: Client | undefined
  #writer = 0
  #waiting = new Pending()
  #inFlight: Pending | undefined
  /** The buffers of the previous batch, for reuse. */
  #spare = new Pending()
  #unconfirmed: { first: string; last: string } | undefined
  /** When PostgreSQL last failed to store a batch, on the clock of performance.now(); undefined after a commit. */
  #failedAt: number | undefined
  #isStopping = false
  #isScheduled = false
  #onIdle: (() => void) | undefined

  private constructor(options: ClickInboxOptions) {
    this.#options = options
    this.#watch = setInterval(() => this.#checkAnswer(), CHECK_EVERY_MS)
    this.#watch.unref()
  }

  /** Resolves when the first connection is open. */
  static async open(options: ClickInboxOptions): Promise<ClickInbox> {
    const inbox = new ClickInbox(options)
    await inbox.#connect()
    return inbox
  }

  get isOpen(): boolean {
    return this.#client !== undefined
  }

  /** True if PostgreSQL failed to store the latest batch, a few seconds ago at most. */
  get isFailing(): boolean {
    return this.#failedAt !== undefined && performance.now() - this.#failedAt < FAILED_MS
  }

  /** The id of this connection's row in click_writer. */
  get writer(): number {
    return this.#writer
  }

  add(click: InboxClick, confirm: Confirm): void {
    if (this.#client === undefined || this.#isStopping) confirm(NOT_OPEN)
    else if (this.#waiting.confirms.length >= (this.#options.bound ?? MAX_WAITING)) confirm(FULL)
    else {
      this.#waiting.add(click, this.#writer, confirm)
      this.#schedule()
    }
  }

  /** Commits all clicks that have arrived, then closes the connection. */
  async stop(): Promise<void> {
    if (this.#inFlight !== undefined || this.#waiting.confirms.length > 0)
      await new Promise<void>((resolve) => this.#wait(resolve))
    this.#isStopping = true
    clearInterval(this.#watch)
    const client = this.#client
    this.#client = undefined
    await client?.end()
  }

  #wait(onIdle: () => void): void {
    this.#onIdle = onIdle
  }

  /** A turn of the event loop without arrivals takes microseconds, so a single click is not delayed. */
  #schedule(): void {
    if (this.#isScheduled || this.#inFlight !== undefined || this.#waiting.confirms.length === 0) return
    this.#isScheduled = true
    this.#afterTurns(TURNS)
  }

  #afterTurns(turns: number): void {
    setImmediate(() => {
      if (turns > 1) {
        this.#afterTurns(turns - 1)
        return
      }
      this.#isScheduled = false
      if (this.#client !== undefined && this.#inFlight === undefined && this.#waiting.confirms.length > 0)
        this.#send(this.#client)
    })
  }

  #send(client: Client): void {
    const pending = this.#waiting
    this.#waiting = this.#spare
    this.#inFlight = pending
    pending.sentAt = performance.now()
    client.query(new CopyStatement(pending.batch.finish(), (error) => this.#settle(pending, error)))
  }

  #settle(pending: Pending, error: Error | null): void {
    if (this.#inFlight !== pending) return
    if (error !== null) {
      this.#failBatch(error)
      return
    }
    this.#inFlight = undefined
    this.#failedAt = undefined
    const { confirms } = pending
    pending.clear()
    this.#spare = pending
    this.#schedule()
    for (const confirm of confirms) confirm(null)
    if (this.#waiting.confirms.length === 0) this.#onIdle?.()
  }

  /** A statement that the server rejected was not committed. A lost connection is handled in #lose. */
  #failBatch(error: Error): void {
    if (!('severity' in error)) return
    this.#failedAt = performance.now()
    this.#options.log.error({ error, clicks: this.#inFlight?.confirms.length }, 'clicks were not recorded')
    this.#failAll(error)
  }

  /** Waiting clicks may refer to a click of the failed batch as their first, so they fail with it. */
  #failAll(error: Error): void {
    const failed = [...(this.#inFlight?.confirms ?? []), ...this.#waiting.confirms]
    this.#inFlight = undefined
    this.#waiting = new Pending()
    this.#spare = new Pending()
    for (const confirm of failed) confirm(error)
    this.#onIdle?.()
  }

  async #connect(): Promise<void> {
    const client = new Client({
      connectionString: this.#options.url,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      application_name: 'tributary clicks',
      statement_timeout: statementTimeout('clicks'),
    })
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, NOT_OPEN))
    try {
      await client.connect()
      if (this.#unconfirmed !== undefined)
        await this.#options.onDoubt?.(this.#unconfirmed.first, this.#unconfirmed.last)
      // Every connection needs a new writer, because the last batch of the old one may still commit.
      const { rows } = await client.query<{ id: number }>('insert into click_writer default values returning id')
      this.#writer = rows[0]?.id ?? 0
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
    this.#unconfirmed = undefined
    this.#client = client
  }

  #checkAnswer(): void {
    if (this.#inFlight === undefined || this.#client === undefined) return
    if (performance.now() - this.#inFlight.sentAt > ANSWER_TIMEOUT_MS)
      this.#lose(this.#client, new Error('PostgreSQL does not answer'))
  }

  #lose(client: Client, error: Error): void {
    if (this.#client !== client) return
    this.#client = undefined
    if (this.#inFlight !== undefined) this.#unconfirmed = { first: this.#inFlight.first, last: this.#inFlight.last }
    this.#options.log.error({ error }, 'the connection for clicks was lost')
    this.#failAll(error)
    // The connection is destroyed, because a stuck one does not answer a regular close.
    client.connection.stream.destroy()
    void this.#reconnect()
  }

  async #reconnect(): Promise<void> {
    for (let delay = FIRST_DELAY_MS; !this.#isStopping; delay = Math.min(delay * 2, LAST_DELAY_MS)) {
      await sleep(delay, undefined, { ref: false })
      try {
        await this.#connect()
        this.#options.log.info({ writer: this.#writer }, 'clicks are accepted again')
        return
      } catch (error) {
        this.#options.log.debug({ error }, 'no connection for clicks yet')
      }
    }
  }
}

/** Sends everything in one write. It is done when the server is ready for the next query, which is after the commit. */
class CopyStatement implements Submittable {
  readonly #bytes: Buffer
  readonly #done: Confirm

  constructor(bytes: Buffer, done: Confirm) {
    this.#bytes = bytes
    this.#done = done
  }

  submit(connection: Connection): void {
    connection.stream.write(this.#bytes)
  }

  handleCopyInResponse(): void {
    // The data has already been sent.
  }

  handleCommandComplete(): void {
    // Only handleReadyForQuery confirms the commit.
  }

  handleReadyForQuery(): void {
    this.#done(null)
  }

  handleError(error: Error): void {
    this.#done(error)
  }
}
