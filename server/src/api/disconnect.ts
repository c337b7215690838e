// Detects clients that disconnect. It watches the response, because the request's stream closes as soon as its body is read.
import type { FastifyReply } from 'fastify'

/** Aborts if the connection closes before the whole answer is sent. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort()
  })
  return controller.signal
}
