// Answers /postback/{uuid}: parses the request, records the postback and answers with the result and its reason.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '../../lib/log.ts'
import { givenRequestId } from '../../lib/request-id.ts'
import { failSpan, startRequestSpan, withSpan } from '../../lib/tracing.ts'
import { asUnavailable } from '../../postgres/failure.ts'
import { cleanText, readIp } from '../query-text.ts'
import type { AppliedPostback, Arrival } from './inbound-postbacks.ts'
import type { LivePostbacks } from './live-postbacks.ts'
import { readParams } from './postback-body.ts'
import type { PostbackAnswer } from './postback-decision.ts'
import type { CountPostback } from './postback-metrics.ts'

export interface PostbackHandler {
  /** Resolves when the postback is committed. */
  recordPostback(arrival: Arrival): Promise<AppliedPostback>
  readonly log: Logger
  readonly proxies: number
  /** Called if the postback caused pending outbound postbacks. */
  onWaiting(): void
  readonly events: LivePostbacks
  readonly postbackMetrics: CountPostback
}

const PATH = '/postback/'
const URL_CAP = 4096
const UNIQUE_VIOLATION = '23505'
const DEADLOCK = '40P01'

export async function servePostback(
  request: IncomingMessage,
  response: ServerResponse,
  handler: PostbackHandler,
): Promise<void> {
  const { method = 'GET' } = request
  if (method !== 'GET' && method !== 'POST') {
    response.setHeader('Allow', 'GET, POST')
    return send(response, 405, { status: 'refused', code: 'method_not_allowed', message: 'Send GET or POST.' })
  }
  const span = startRequestSpan('postback of an advertiser', givenRequestId(request))
  try {
    const { status, body } = await withSpan(span, () => apply(request, method, handler))
    const verdict = body.status === 'refused' ? (body.code ?? 'refused') : body.status
    handler.postbackMetrics(verdict)
    span.setAttribute('verdict', verdict).end()
    send(response, status, body)
  } catch (error) {
    handler.postbackMetrics('not_recorded')
    failSpan(span, 'not_recorded')
    span.end()
    fail(response, error, handler.log)
  }
}

async function apply(request: IncomingMessage, method: string, handler: PostbackHandler): Promise<PostbackAnswer> {
  const { url = '' } = request
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const { params, flaw } = await readParams(request, mark < 0 ? '' : url.slice(mark + 1))
  const arrival = {
    method,
    url: cleanText(url, URL_CAP) ?? '',
    uuid: path.slice(PATH.length).replace(/\/$/, ''),
    senderIp: readIp(request, handler.proxies),
    params,
    receivedAt: Date.now(),
  }
  const attempt = () => handler.recordPostback({ request: arrival, flaw })
  // An import may have created the player in the meantime; the second attempt then finds it.
  const applied = await attempt().catch((error: unknown) =>
    isRetryable(error) ? attempt() : Promise.reject(error as Error),
  )
  if (applied.waiting > 0) handler.onWaiting()
  handler.events.add(applied.postbackId, applied.partnerId)
  return applied.answer
}

const isRetryable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === UNIQUE_VIOLATION || error.code === DEADLOCK)

function fail(response: ServerResponse, error: unknown, log: Logger): void {
  const unavailable = asUnavailable(error)
  const seconds = unavailable?.details.retry_after ?? 2
  if (unavailable === undefined) log.error({ error }, 'a postback could not be recorded')
  else log.warn({ error }, 'a postback could not be recorded now')
  if (response.headersSent || response.destroyed) return
  response.setHeader('Retry-After', String(seconds))
  send(response, 503, {
    status: 'refused',
    code: 'unavailable',
    message: 'Please send it again in a moment.',
    retry_after: seconds,
  })
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  })
  response.end(text)
}
