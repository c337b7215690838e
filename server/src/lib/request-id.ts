// Request ids: the sender's, so that one id follows a request through several systems, or a new one.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const REQUEST_ID = /^[\w.-]{8,64}$/

/** The id that the sender gave; undefined if it gave none, or one of another form. */
export function givenRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const given = headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : undefined
}

/** The id that the sender gave, or a new one. */
export const chooseRequestId = (request: Pick<IncomingMessage, 'headers'>): string =>
  givenRequestId(request) ?? randomUUID()
