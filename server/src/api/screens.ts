// Serves the screens. Browsers cache built files for ever, because their names contain a hash, but never the page that names them.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiApp } from './app.ts'

export const SCREENS_DIRECTORY = join(import.meta.dirname, '../../../web/dist')
const PAGE = 'index.html'
/** Headers that a browser heeds on a page only. Without them each of the fifty scripts and styles of a first screen is 500 bytes smaller. */
const PAGE_HEADERS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]

export interface Screens {
  /** Sends the page if the URL may belong to a screen; returns true if it did. */
  sendPage(request: FastifyRequest, reply: FastifyReply): boolean
}

/** Serves nothing if the screens are not built (a tracker alone, tests). */
export async function addScreens(app: ApiApp, directory: string): Promise<Screens> {
  if (!existsSync(join(directory, PAGE))) return { sendPage: () => false }
  await app.register(fastifyStatic, {
    root: directory,
    index: false,
    // Each file is a route; every other path gets the page.
    wildcard: false,
    cacheControl: false,
    // The build has compressed the files already.
    preCompressed: true,
    setHeaders(reply, path) {
      const isHashed = path.includes(`${directory}/assets/`)
      if (isHashed && /\.(js|css)(\.(br|gz))?$/.test(path)) for (const name of PAGE_HEADERS) reply.removeHeader(name)
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.get('/', (_request, reply) => sendPage(reply))
  return {
    sendPage(request, reply) {
      const wantsPage =
        (request.method === 'GET' || request.method === 'HEAD') && (request.headers.accept ?? '').includes('text/html')
      if (!wantsPage) return false
      void sendPage(reply)
      return true
    },
  }
}

const sendPage = (reply: FastifyReply): FastifyReply =>
  reply.status(200).header('cache-control', 'no-cache').sendFile(PAGE)

/** The version of the built screens, as their page states it; empty if there are none. */
export function readBuildVersion(directory: string = SCREENS_DIRECTORY): string {
  const page = join(directory, PAGE)
  if (!existsSync(page)) return ''
  return /<meta name="version" content="(\w+)"/.exec(readFileSync(page, 'utf8'))?.[1] ?? ''
}
