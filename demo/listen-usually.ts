// A stand-in listens on its usual port, so that addresses in the record still lead somewhere after a restart; where that is taken, on any.
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
