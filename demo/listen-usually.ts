// Listens on a stand-in's usual port, so that stored addresses stay valid after a restart; if the port is taken, on a free one.

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** On this machine alone. Answers the port. */
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
