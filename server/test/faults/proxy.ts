// A TCP proxy between the product and its PostgreSQL that cuts connections: all at once, or one in the middle of its next COPY.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { atEndOfFile } from '../support/cleanup.ts'

export interface CuttingProxy {
  readonly port: number
  /** Cuts every connection. */
  cutAll(): number
  /** The next `count` COPYs in either direction are cut after so many bytes of them. */
  cutCopies(count: number, afterBytes: number): void
  /** How many COPYs have been cut so far. */
  readonly cut: { copies: number }
}

const COPY = /copy [^;]{0,4000}?(from stdin|to stdout)/i

export async function startCuttingProxy(targetPort: () => number): Promise<CuttingProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  const cut = { copies: 0 }
  let [left, after] = [0, 0]
  const server = createServer((client) => {
    const upstream = connect(targetPort(), '127.0.0.1')
    const pair = [client, upstream] as const
    pairs.add(pair)
    const end = (): void => {
      pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    /** Bytes of the COPY that is to be cut; undefined while there is none. */
    let copied: number | undefined
    const count = (chunk: Buffer): boolean => {
      if (copied === undefined) return false
      copied += chunk.length
      if (copied < after) return false
      cut.copies += 1
      end()
      return true
    }
    client.on('data', (chunk: Buffer) => {
      if (left > 0 && copied === undefined && COPY.test(chunk.toString('latin1'))) {
        left -= 1
        copied = 0
      }
      if (!count(chunk)) upstream.write(chunk)
    })
    upstream.on('data', (chunk: Buffer) => {
      if (!count(chunk)) client.write(chunk)
    })
    for (const socket of pair) socket.on('error', end).on('close', end)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endAll = (): number => {
    const count = pairs.size
    for (const [client, upstream] of pairs) {
      client.destroy()
      upstream.destroy()
    }
    return count
  }
  atEndOfFile(() => {
    endAll()
    server.close()
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cutAll: endAll,
    cutCopies(count, afterBytes) {
      left = count
      after = afterBytes
    },
    cut,
  }
}
