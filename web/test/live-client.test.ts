import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { createLive, type Live } from '../src/data/live-client.ts'

interface Stand {
  live: Live
  /** Topics of each opened connection, in order. */
  asked: string[]
  /** Connections that are currently open. */
  open: Set<ServerResponse>
  say: (topic: string, payload: unknown) => void
  refuse: (status: number) => void
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function stand(): Promise<Stand> {
  const asked: string[] = []
  const open = new Set<ServerResponse>()
  let refusal = 200
  const server = createServer((request, answer) => {
    asked.push(new URL(request.url ?? '', 'http://x').searchParams.get('topics') ?? '')
    if (refusal !== 200) return void answer.writeHead(refusal).end()
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    answer.write(': hello\n\n')
    open.add(answer)
    answer.on('close', () => open.delete(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    live.pause()
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const live = createLive({
    async open(topics, signal) {
      const answer = await fetch(`${url}/?topics=${topics.join()}`, { signal })
      if (!answer.ok) throw new Error(String(answer.status))
      return answer
    },
    isFinal: (error) => error instanceof Error && error.message === '401',
    retryMs: 20,
  })
  return {
    live,
    asked,
    open,
    say(topic, payload) {
      // In two chunks, as a network may split it.
      const text = `event: ${topic}\ndata: ${JSON.stringify(payload)}\n\n`
      for (const answer of open) {
        answer.write(text.slice(0, 9))
        setTimeout(() => answer.write(text.slice(9)), 5)
      }
    },
    refuse(status) {
      refusal = status
    },
  }
}

const soon = (check: () => void) => vi.waitFor(check, { timeout: 5000, interval: 5 })

test('all listeners share one stream, which requests exactly their topics [AUTH-12]', async () => {
  const { live, asked, open, say } = await stand()
  const heard: unknown[] = []
  const stops = [
    live.subscribe('job', { onMessage: (payload) => heard.push(payload) }),
    live.subscribe('job', { onMessage: () => heard.push('second') }),
    live.subscribe('permissions', { onMessage: () => heard.push('permissions') }),
  ]
  await soon(() => expect(open.size).toBe(1))
  expect(asked).toEqual(['job,permissions'])
  say('job', { job: 'import', id: '1', state: 'running' })
  await soon(() => expect(heard).toEqual([{ job: 'import', id: '1', state: 'running' }, 'second']))
  stops[2]?.()
  await soon(() => expect(asked).toEqual(['job,permissions', 'job']))
  await soon(() => expect(open.size).toBe(1))
  stops[0]?.()
  stops[1]?.()
  await soon(() => expect(open.size).toBe(0))
})

test('a broken stream reconnects, and listeners are notified of the gap [AUTH-12]', async () => {
  const { live, asked, open } = await stand()
  let gaps = 0
  live.subscribe('job', {
    onMessage: () => undefined,
    onGap: () => {
      gaps += 1
    },
  })
  await soon(() => expect(open.size).toBe(1))
  expect(gaps).toBe(0)
  for (const answer of open) answer.destroy()
  await soon(() => expect(gaps).toBe(1))
  expect(asked).toHaveLength(2)
  live.pause()
  await soon(() => expect(open.size).toBe(0))
  live.resume()
  await soon(() => expect(gaps).toBe(2))
})

test('an unreachable server is retried; one that rejects the user is not [AUTH-12]', async () => {
  const { live, asked, open, refuse } = await stand()
  refuse(503)
  live.subscribe('job', { onMessage: () => undefined })
  await soon(() => expect(asked.length).toBeGreaterThan(2))
  refuse(401)
  const before = asked.length
  await soon(() => expect(asked.length).toBeGreaterThan(before))
  const after = asked.length
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(asked).toHaveLength(after)
  refuse(200)
  live.restart()
  await soon(() => expect(open.size).toBe(1))
})
