// Tells that whoever asked has gone. Watches the answer's side: a request's own stream closes as soon as its body is read.
import type { FastifyReply } from 'fastify'

/** Aborts when the connection closes before the answer is out. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}
