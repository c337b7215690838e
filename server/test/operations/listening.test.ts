// A server that stops after a drain resets no connection that it has accepted.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { closeAfterAnswers, finishRequests } from '../../src/api/listening.ts'

async function startDraining(): Promise<{ server: Server; port: number }> {
  const server = createServer((_request, response) => response.end('here')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterAnswers(server)
  return { server, port: (server.address() as AddressInfo).port }
}

async function openConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

const finish = (server: Server): Promise<void> =>
  finishRequests(server, async () => void (await once(server.close(), 'close')))

test('a connection made during the drain is answered although its request arrives after the listener closed [SYS-04]', async () => {
  const { server, port } = await startDraining()
  const socket = await openConnection(port)
  const finished = finish(server)
  await sleep(600)
  await expect(openConnection(port)).rejects.toThrow('ECONNREFUSED')
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*connection: close\r\n.*here/is)
  await finished
})

test('a connection that never sends a request is closed, and the stop goes on [SYS-04]', async () => {
  const { server, port } = await startDraining()
  const closed = once(await openConnection(port), 'close')
  await finish(server)
  await closed
}, 20_000)

test('a connection that its client has closed is not waited for [SYS-04]', async () => {
  const { server, port } = await startDraining()
  const socket = await openConnection(port)
  socket.destroy()
  await once(socket, 'close')
  expect(await Promise.race([finish(server).then(() => 'finished'), sleep(2000, 'still waiting')])).toBe('finished')
})
