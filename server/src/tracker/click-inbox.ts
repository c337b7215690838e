// The door of the record for clicks: one connection, one batch in flight; whatever arrives meanwhile is the next batch. There is no timer, so a
// lone click waits for nobody and a flood makes large batches by itself. A click is confirmed only after its transaction has committed.

import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Connection, type Submittable } from 'pg'
import type { Logger } from '../lib/log.ts'
import { ClickBatch } from './click-batch.ts'
import type { ClickRow } from './click-row.ts'

/** Called once: with no error when the click is on disk, with one when it has not been confirmed. */
export type Confirm = (error: Error | null) => void

export interface ClickInbox {
  add(click: ClickRow, confirm: Confirm): void
  readonly isOpen: boolean
  /** The row of click_writer under which this connection's clicks are kept. */
  readonly writer: number
  /** Commits what has arrived, then lets go of the connection. */
  stop(): Promise<void>
}

export interface ClickInboxOptions {
  url: string
  log: Logger
  /** After a loss: batches in flight may or may not have been committed. The ids of the oldest and newest click in doubt. */
  onDoubt?(first: string, last: string): Promise<void>
  /** Most clicks that wait at a time. */
  bound?: number
}

const BOUND = 20_000
/** A batch that PostgreSQL does not answer in this time counts as lost. */
const PATIENCE_MS = 5000
const FIRST_DELAY_MS = 50
const LAST_DELAY_MS = 2000

interface Pending {
  batch: ClickBatch
  confirms: Confirm[]
  first: string
  last: string
  sentAt: number
}

const NOT_OPEN = new Error('the record takes no clicks now')
const FULL = new Error('too many clicks are waiting for the record')

/** Resolves when the first connection stands. */
export async function openClickInbox({ url, log, onDoubt, bound = BOUND }: ClickInboxOptions): Promise<ClickInbox> {
  let client: Client | undefined
  let writer = 0
  let waiting = emptyPending()
  let flying: Pending | undefined
  let spare: Pending | undefined = emptyPending()
  let isStopping = false
  let doubt: { first: string; last: string } | undefined
  let onIdle: (() => void) | undefined

  async function connect(): Promise<void> {
    const next = new Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      application_name: 'tributary clicks',
    })
    next.on('error', (error) => lose(next, error))
    next.on('end', () => lose(next, NOT_OPEN))
    try {
      await next.connect()
      if (doubt !== undefined && onDoubt !== undefined) await onDoubt(doubt.first, doubt.last)
      // A new writer for every connection: the old one's last batch may still be on its way into the record.
      const { rows } = await next.query<{ id: number }>('insert into click_writer default values returning id')
      writer = rows[0]?.id ?? 0
    } catch (error) {
      await next.end().catch(() => undefined)
      throw error
    }
    doubt = undefined
    client = next
  }

  async function reconnect(): Promise<void> {
    for (let delay = FIRST_DELAY_MS; !isStopping; delay = Math.min(delay * 2, LAST_DELAY_MS)) {
      await sleep(delay, undefined, { ref: false })
      try {
        await connect()
        log.info({ writer }, 'clicks are taken again')
        return
      } catch (error) {
        log.debug({ error }, 'no connection for clicks yet')
      }
    }
  }

  function lose(lost: Client, error: Error): void {
    if (client !== lost) return
    client = undefined
    if (flying !== undefined) doubt = { first: flying.first, last: flying.last }
    if (!isStopping) log.error({ error }, 'the connection for clicks was lost')
    refuseAll(error)
    lost.end().catch((ending: unknown) => log.debug({ error: ending }, 'a lost connection did not close in order'))
    if (!isStopping) void reconnect()
  }

  function refuseAll(error: Error): void {
    const [inFlight, queued] = [flying, waiting]
    flying = undefined
    waiting = emptyPending()
    for (const pending of [inFlight, queued]) for (const confirm of pending?.confirms ?? []) confirm(error)
    onIdle?.()
  }

  function send(): void {
    if (client === undefined || flying !== undefined || waiting.confirms.length === 0) return
    flying = waiting
    waiting = spare ?? emptyPending()
    spare = undefined
    flying.sentAt = performance.now()
    client.query(new CopyStatement(flying.batch.finish(), settle(flying)))
  }

  function settle(pending: Pending): Confirm {
    return (error) => {
      if (flying !== pending) return
      if (error !== null) {
        // A statement that the server has refused is not in doubt; clicks that wait may name one of it as their first.
        if ('severity' in error) {
          log.error({ error, clicks: pending.confirms.length }, 'clicks were not recorded')
          refuseAll(error)
        }
        return
      }
      flying = undefined
      const { confirms } = pending
      spare = reset(pending)
      send()
      for (const confirm of confirms) confirm(null)
      if (waiting.confirms.length === 0) onIdle?.()
    }
  }

  const watch = setInterval(() => {
    if (flying === undefined || client === undefined || performance.now() - flying.sentAt < PATIENCE_MS) return
    lose(client, new Error('PostgreSQL does not answer'))
  }, 500)
  watch.unref()
  await connect()

  return {
    get isOpen() {
      return client !== undefined
    },
    get writer() {
      return writer
    },
    add(click, confirm) {
      if (client === undefined || isStopping) return confirm(NOT_OPEN)
      if (waiting.confirms.length >= bound) return confirm(FULL)
      if (waiting.confirms.length === 0) waiting.first = click.id
      waiting.last = click.id
      waiting.batch.add(click, writer)
      waiting.confirms.push(confirm)
      if (flying === undefined) send()
    },
    async stop() {
      if (flying !== undefined) await new Promise<void>((resolve) => (onIdle = resolve))
      isStopping = true
      clearInterval(watch)
      const last = client
      client = undefined
      await last?.end()
    },
  }
}

const emptyPending = (): Pending => ({ batch: new ClickBatch(), confirms: [], first: '', last: '', sentAt: 0 })

function reset(pending: Pending): Pending {
  pending.batch.clear()
  return { batch: pending.batch, confirms: [], first: '', last: '', sentAt: 0 }
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
    // The data is on its way already.
  }

  handleCommandComplete(): void {
    // Told again, with certainty, by handleReadyForQuery.
  }

  handleReadyForQuery(): void {
    this.#done(null)
  }

  handleError(error: Error): void {
    this.#done(error)
  }
}
