// Answers /c/{uuid}: decides, commits and redirects. It runs before the framework and must do nothing else, because every click pays for it.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '../../lib/log.ts'
import { givenRequestId } from '../../lib/request-id.ts'
import { startRequestSpan } from '../../lib/tracing.ts'
import { isPrefetch, prefersRussian, readIp } from '../query-text.ts'
import { type ClickContext, decideClick } from './click-decision.ts'
import type { ClickInbox } from './click-inbox.ts'
import type { ClickMetrics } from './click-metrics.ts'
import type { RejectionLog } from './rejection-log.ts'

export interface ClickHandler extends ClickContext {
  readonly inbox: ClickInbox
  readonly rejections: RejectionLog
  readonly log: Logger
  readonly metrics: ClickMetrics
  /** The number of the operator's proxies in front of the server. */
  readonly proxies: number
}

const RETRY_SECONDS = '2'

/** Never throws: a click that cannot be decided is logged and answered with 503. */
export function serveClick(request: IncomingMessage, response: ServerResponse, handler: ClickHandler): void {
  try {
    answerClick(request, response, handler)
  } catch (error) {
    handler.log.error({ error }, 'a click could not be decided')
    if (!response.headersSent) sendPage(request, response, 503)
  }
}

function answerClick(request: IncomingMessage, response: ServerResponse, handler: ClickHandler): void {
  const { headers, method = 'GET', url = '/' } = request
  if (method !== 'GET' && method !== 'HEAD') {
    sendPage(request, response, 405)
    return
  }
  const began = performance.now()
  const span = startRequestSpan('click', givenRequestId(request))
  const ip = readIp(request, handler.proxies)
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
    handler.metrics.count(verdict.reason)
    span.setAttribute('outcome', verdict.reason).end()
    handler.rejections.record(verdict.reason, verdict.offerPartnerId, visitor)
    sendPage(request, response, verdict.status)
    return
  }
  const { click, visit } = verdict
  span.setAttribute('click_id', click.id)
  handler.inbox.add(click, (error) => {
    span.setAttribute('outcome', error === null ? 'redirected' : 'not_recorded').end()
    if (error === null) {
      redirect(response, click.target)
      handler.metrics.redirected(performance.now() - began)
      return
    }
    if (!click.bot && click.canonical_id === null) handler.uniqueness.release(visit, click.id)
    handler.metrics.count('not_recorded')
    sendPage(request, response, 503)
  })
}

function redirect(response: ServerResponse, target: string): void {
  response.writeHead(302, ['Location', target, 'Cache-Control', 'no-store', 'Content-Length', '0'])
  response.end()
}

function sendPage(request: IncomingMessage, response: ServerResponse, status: PageStatus): void {
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

const WORDS = {
  en: {
    400: ['This address is not correct', 'Please check the link that you followed.'],
    404: ['Page not found', 'There is nothing at this address.'],
    405: ['This address cannot be used in this way', 'Please open the link in a browser.'],
    410: ['This link is no longer in use', 'The page that it led to is not available any more.'],
    414: ['This address is too long', 'Please check the link that you followed.'],
    503: ['Please try again in a moment', 'The page is not available right now.'],
  },
  ru: {
    400: ['Неверный адрес', 'Проверьте ссылку, по которой вы перешли.'],
    404: ['Страница не найдена', 'По этому адресу ничего нет.'],
    405: ['Этот адрес так не используется', 'Откройте ссылку в браузере.'],
    410: ['Ссылка больше не действует', 'Страница, на которую она вела, недоступна.'],
    414: ['Слишком длинный адрес', 'Проверьте ссылку, по которой вы перешли.'],
    503: ['Попробуйте ещё раз чуть позже', 'Сейчас страница недоступна.'],
  },
} as const

export type PageStatus = keyof (typeof WORDS)['en']

const PAGES = {
  en: renderAll('en'),
  ru: renderAll('ru'),
}

/** The page that a visitor sees if a click is rejected. It must not name the product. */
function neutralPage(status: PageStatus, isRussian: boolean): Buffer {
  return PAGES[isRussian ? 'ru' : 'en'][status]
}

function renderAll(language: 'en' | 'ru'): Record<PageStatus, Buffer> {
  const page = (status: PageStatus): Buffer => Buffer.from(render(language, WORDS[language][status]))
  return { 400: page(400), 404: page(404), 405: page(405), 410: page(410), 414: page(414), 503: page(503) }
}

function render(language: string, [title, text]: readonly [string, string]): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${title}</title><style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:20vh auto;max-width:30rem;padding:0 1rem;text-align:center}</style>
</head><body><h1>${title}</h1><p>${text}</p></body></html>
`
}
