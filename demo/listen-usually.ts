// Listens on a fake server's usual port, so that stored URLs stay valid after a restart, or on a free port if it is in use.

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens on loopback and returns the port. */
export function listenUsually(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error)
      server.once('error', reject)
      server.listen(0, '127.0.0.1')
    })
    // A server that listens on TCP has an address with a port.
    server.once('listening', () => resolve((server.address() as AddressInfo).port))
    server.listen(port, '127.0.0.1')
  })
}
