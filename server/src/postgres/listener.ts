// Receives NOTIFY on a connection of its own, which is opened at the first subscription and reopened whenever it is lost.

import { setTimeout as sleep } from 'node:timers/promises'
import { Client, escapeIdentifier } from 'pg'
import type { Logger } from '../lib/log.ts'
import { ignore } from '../lib/promises.ts'
import { statementTimeout } from './statement-pool.ts'

/** One callback on a channel of NOTIFY. */
export interface Subscription {
  /** Ends the subscription; other subscriptions of the channel stay. Does not wait for a database that is away. */
  stop(): Promise<void>
}

/** One connection that hears NOTIFY for the whole process. `onReconnect` runs after a gap in which messages may have been lost. */
export interface Listener {
  listen(channel: string, onMessage: (payload: string) => void, onReconnect?: () => void): Promise<Subscription>
  close(): Promise<void>
}

interface Handler {
  channel: string
  onMessage: (payload: string) => void
  onReconnect: (() => void) | undefined
}

const FIRST_DELAY_MS = 100
const LAST_DELAY_MS = 5000
/** Detects a connection that died silently. */
const HEARTBEAT_MS = 15_000

/** `url`: connection string of PostgreSQL. */
export function createListener(url: string, log: Logger): Listener {
  const handlers = new Set<Handler>()
  let connection: Promise<Client> | undefined
  /** The open connection; undefined while it is opened again, which may take for ever. */
  let connected: Client | undefined
  let isClosed = false

  async function open(): Promise<Client> {
    const client = new Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      application_name: 'tributary listen',
      statement_timeout: statementTimeout('request'),
      query_timeout: HEARTBEAT_MS,
    })
    client.on('error', ignore)
    client.on('notification', ({ channel, payload }) => {
      for (const handler of handlers) if (handler.channel === channel) deliver(handler, payload ?? '')
    })
    await client.connect()
    for (const channel of new Set([...handlers].map((handler) => handler.channel))) await subscribe(client, channel)
    const heartbeat = setInterval(
      () => void client.query('select 1').catch(() => client.end().catch(ignore)),
      HEARTBEAT_MS,
    )
    heartbeat.unref()
    connected = client
    client.once('end', () => {
      connected = undefined
      clearInterval(heartbeat)
      if (!isClosed) connection = reconnect()
    })
    return client
  }

  async function reconnect(): Promise<Client> {
    log.warn('the connection for notifications was lost')
    for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 2, LAST_DELAY_MS)) {
      await sleep(delay, undefined, { ref: false })
      if (isClosed) throw new Error('the listener is closed')
      try {
        const client = await open()
        for (const handler of handlers) handler.onReconnect?.()
        return client
      } catch (error) {
        log.debug({ error }, 'no connection for notifications yet')
      }
    }
  }

  function deliver(handler: Handler, payload: string): void {
    try {
      handler.onMessage(payload)
    } catch (error) {
      log.error({ error, channel: handler.channel }, 'a notification was not understood')
    }
  }

  function current(): Promise<Client> {
    if (connection === undefined) {
      connection = open()
      connection.catch(() => {
        connection = undefined
      })
    }
    return connection
  }

  return {
    async listen(channel, onMessage, onReconnect) {
      const handler: Handler = { channel, onMessage, onReconnect }
      handlers.add(handler)
      try {
        await subscribe(await current(), channel)
      } catch (error) {
        handlers.delete(handler)
        throw error
      }
      return {
        async stop() {
          handlers.delete(handler)
          const isWanted = [...handlers].some((other) => other.channel === channel)
          // The next connection subscribes only to what is wanted then; one that is lost meanwhile has nothing to end.
          if (!isWanted) await connected?.query(`unlisten ${escapeIdentifier(channel)}`).catch(ignore)
        },
      }
    },
    async close() {
      isClosed = true
      const client = await connection?.catch(() => undefined)
      await client?.end()
    },
  }
}

const subscribe = (client: Client, channel: string): Promise<unknown> =>
  client.query(`listen ${escapeIdentifier(channel)}`)
