// Answers /c/{uuid}: decides, commits, redirects. Nothing else may happen on this path; it runs before any framework.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '../../lib/log.ts'
import { isPrefetch, prefersRussian, readAddress } from '../request-headers.ts'
import { type ClickContext, decideClick } from './click-decision.ts'
import type { ClickInbox } from './click-inbox.ts'
import { neutralPage, type PageStatus } from './neutral-page.ts'
import type { RejectionLog } from './rejection-log.ts'

export interface ClickHandler extends ClickContext {
  readonly inbox: ClickInbox
  readonly rejections: RejectionLog
  readonly log: Logger
  /** How many of the operator's proxies stand in front of the server. */
  readonly proxies: number
}

const RETRY_SECONDS = '2'

export function serveClick(request: IncomingMessage, response: ServerResponse, handler: ClickHandler): void {
  const { headers, method = 'GET', url = '/' } = request
  if (method !== 'GET' && method !== 'HEAD') {
    sendPage(request, response, 405)
    return
  }
  const ip = readAddress(request, handler.proxies)
  const verdict = decideClick(
    {
      method,
      url,
      ip,
      userAgent: headers['user-agent'],
      referrer: headers.referer,
      language: headers['accept-language'],
      isPrefetch: isPrefetch(headers),
      now: Date.now(),
    },
    handler,
  )
  if (verdict.kind === 'reject') {
    const visitor = { url, ip, userAgent: headers['user-agent'], referrer: headers.referer }
    handler.rejections.record(verdict.reason, verdict.offerPartnerId, visitor)
    sendPage(request, response, verdict.status)
    return
  }
  const { click, visit } = verdict
  handler.inbox.add(click, (error) => {
    if (error === null) {
      redirect(response, click.target)
      return
    }
    if (!click.bot && click.canonical_id === null) handler.uniqueness.forget(visit, click.id)
    sendPage(request, response, 503)
  })
}

function redirect(response: ServerResponse, target: string): void {
  response.writeHead(302, ['Location', target, 'Cache-Control', 'no-store', 'Content-Length', '0'])
  response.end()
}

export function sendPage(request: IncomingMessage, response: ServerResponse, status: PageStatus): void {
  const page = neutralPage(status, prefersRussian(request.headers['accept-language']))
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': page.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(status === 503 ? { 'Retry-After': RETRY_SECONDS } : {}),
    ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
  })
  response.end(request.method === 'HEAD' ? undefined : page)
}
