// Writes clicks to the inbox: one connection, one batch in flight; clicks that arrive meanwhile form the next batch. There is no timer, so a
// lone click does not wait and a flood forms large batches. A click is confirmed only after its transaction has committed.

import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Connection, type Submittable } from 'pg'
import type { InboxClick } from '../../facts/columns.ts'
import type { Logger } from '../../lib/log.ts'
import { statementTimeout } from '../../postgres/statement-pool.ts'
import { ClickBatch } from './click-batch.ts'

/** Called once: with null when the click is on disk, with an error if it could not be confirmed. */
export type Confirm = (error: Error | null) => void

export interface ClickInboxOptions {
  url: string
  log: Logger
  /** Called with the first and last click id of a batch in flight when the connection was lost: it may have been committed. */
  onDoubt?: (first: string, last: string) => Promise<void>
  /** How many clicks may wait. */
  bound?: number
}

const BOUND = 20_000
/** Turns of the event loop before a batch is sent, so that it includes clicks caused by the answers to the last batch. */
const TURNS = 3
/** A batch that PostgreSQL does not answer in this time counts as lost. */
const PATIENCE_MS = 5000
const WATCH_MS = 500
const FIRST_DELAY_MS = 50
const LAST_DELAY_MS = 2000

const NOT_OPEN = new Error('the record takes no clicks now')
const FULL = new Error('too many clicks are waiting for the record')

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
  #flying: Pending | undefined
  /** The buffers of the batch before, to be used again. */
  #spare = new Pending()
  #doubt: { first: string; last: string } | undefined
  #isStopping = false
  #isScheduled = false
  #onIdle: (() => void) | undefined

  private constructor(options: ClickInboxOptions) {
    this.#options = options
    this.#watch = setInterval(() => this.#losePatience(), WATCH_MS)
    this.#watch.unref()
  }

  /** Resolves when the first connection stands. */
  static async open(options: ClickInboxOptions): Promise<ClickInbox> {
    const inbox = new ClickInbox(options)
    await inbox.#connect()
    return inbox
  }

  get isOpen(): boolean {
    return this.#client !== undefined
  }

  /** The row of click_writer under which this connection's clicks are kept. */
  get writer(): number {
    return this.#writer
  }

  add(click: InboxClick, confirm: Confirm): void {
    if (this.#client === undefined || this.#isStopping) confirm(NOT_OPEN)
    else if (this.#waiting.confirms.length >= (this.#options.bound ?? BOUND)) confirm(FULL)
    else {
      this.#waiting.add(click, this.#writer, confirm)
      this.#schedule()
    }
  }

  /** Commits what has arrived, then lets go of the connection. */
  async stop(): Promise<void> {
    if (this.#flying !== undefined || this.#waiting.confirms.length > 0)
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

  /** A turn without arrivals takes microseconds, so a lone click is not delayed. */
  #schedule(): void {
    if (this.#isScheduled || this.#flying !== undefined || this.#waiting.confirms.length === 0) return
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
      if (this.#client !== undefined && this.#flying === undefined && this.#waiting.confirms.length > 0)
        this.#send(this.#client)
    })
  }

  #send(client: Client): void {
    const pending = this.#waiting
    this.#waiting = this.#spare
    this.#flying = pending
    pending.sentAt = performance.now()
    client.query(new CopyStatement(pending.batch.finish(), (error) => this.#settle(pending, error)))
  }

  #settle(pending: Pending, error: Error | null): void {
    if (this.#flying !== pending) return
    if (error !== null) {
      this.#refuseBatch(error)
      return
    }
    this.#flying = undefined
    const { confirms } = pending
    pending.clear()
    this.#spare = pending
    this.#schedule()
    for (const confirm of confirms) confirm(null)
    if (this.#waiting.confirms.length === 0) this.#onIdle?.()
  }

  /** A statement that the server rejected was not committed. A lost connection is handled in #lose. */
  #refuseBatch(error: Error): void {
    if (!('severity' in error)) return
    this.#options.log.error({ error, clicks: this.#flying?.confirms.length }, 'clicks were not recorded')
    this.#refuseAll(error)
  }

  /** Waiting clicks may name a click of the failed batch as their first, so they fail with it. */
  #refuseAll(error: Error): void {
    const refused = [...(this.#flying?.confirms ?? []), ...this.#waiting.confirms]
    this.#flying = undefined
    this.#waiting = new Pending()
    this.#spare = new Pending()
    for (const confirm of refused) confirm(error)
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
      if (this.#doubt !== undefined) await this.#options.onDoubt?.(this.#doubt.first, this.#doubt.last)
      // A new writer for every connection: the old one's last batch may still be on its way into the record.
      const { rows } = await client.query<{ id: number }>('insert into click_writer default values returning id')
      this.#writer = rows[0]?.id ?? 0
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
    this.#doubt = undefined
    this.#client = client
  }

  #losePatience(): void {
    if (this.#flying === undefined || this.#client === undefined) return
    if (performance.now() - this.#flying.sentAt > PATIENCE_MS)
      this.#lose(this.#client, new Error('PostgreSQL does not answer'))
  }

  #lose(client: Client, error: Error): void {
    if (this.#client !== client) return
    this.#client = undefined
    if (this.#flying !== undefined) this.#doubt = { first: this.#flying.first, last: this.#flying.last }
    this.#options.log.error({ error }, 'the connection for clicks was lost')
    this.#refuseAll(error)
    // Destroyed, because a connection that hangs does not answer a regular close.
    client.connection.stream.destroy()
    void this.#reconnect()
  }

  async #reconnect(): Promise<void> {
    for (let delay = FIRST_DELAY_MS; !this.#isStopping; delay = Math.min(delay * 2, LAST_DELAY_MS)) {
      await sleep(delay, undefined, { ref: false })
      try {
        await this.#connect()
        this.#options.log.info({ writer: this.#writer }, 'clicks are taken again')
        return
      } catch (error) {
        this.#options.log.debug({ error }, 'no connection for clicks yet')
      }
    }
  }
}

/** Speaks to the server in one write; done when the server is ready again, which is after the commit. */
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
    // The data has been sent already.
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
