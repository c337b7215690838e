// Serves the OpenAPI document, built from the schemas that validate requests, and the page that shows it.
import { setImmediate } from 'node:timers/promises'
import swagger from '@fastify/swagger'
import type { RouteOptions } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Config } from '../config.ts'
import type { ApiApp } from './app.ts'
import { renderDocs } from './docs-page.ts'
import { requireInside } from './internal-pages.ts'

const ERROR = {
  type: 'object',
  description: 'Refused, or failed',
  required: ['code', 'message', 'request_id'],
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    request_id: { type: 'string' },
    formErrors: { description: 'On 422: sentences, or sentences by field', type: ['array', 'object'] },
    reasons: {
      description: 'On 422: each thing that was found wrong, by a stable code, with the record where it can be mended',
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: {
          field: { type: 'string' },
          code: { type: 'string' },
          message: { type: 'string' },
          mend: { type: 'object', properties: { entity: { type: 'string' }, id: { type: 'integer' } } },
        },
      },
    },
    omitted: { type: 'integer', description: 'On 422: problems that are not listed, because there are too many' },
    retry_after: { type: 'integer', description: 'Seconds' },
  },
}

const FILE = { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } }

type Described = ReturnType<typeof jsonSchemaTransform>

/** Documents with a part of the paths each: the library builds a document at once, and the whole would block the process. */
const DOCUMENTS = ['documentA', 'documentB', 'documentC', 'documentD'] as const

/** Must run before the routes that the document describes are added. */
export async function addDocs(app: ApiApp, config: Config): Promise<void> {
  const routes: RouteOptions[] = []
  const described = new Map<string, Described>()
  for (const [index, decorator] of DOCUMENTS.entries()) {
    await app.register(swagger, {
      decorator,
      openapi: {
        openapi: VERSION,
        info: { title: 'Tributary', version: '1', description: 'The back office of an affiliate network' },
        components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
        security: [{ bearer: [] }],
      },
      transform({ route, url }) {
        const isHidden = documentOf(url) !== index
        return (isHidden ? undefined : described.get(keyOf(route))) ?? { url, schema: { hide: true } }
      },
    })
  }
  app.addHook('onRoute', (route) => void routes.push(route))

  async function build(): Promise<{ json: Buffer; html: Buffer }> {
    for (const route of routes) {
      described.set(keyOf(route), describeRoute(route))
      await setImmediate()
    }
    const document = { paths: {} }
    for (const decorator of DOCUMENTS) {
      const part = app.getDecorator<() => { paths?: object }>(decorator)()
      Object.assign(document, part, { paths: { ...document.paths, ...part.paths } })
      await setImmediate()
    }
    described.clear()
    return { json: Buffer.from(JSON.stringify(document)), html: Buffer.from(await renderDocs(document)) }
  }
  let pages: ReturnType<typeof build> | undefined
  const loadPages = (): ReturnType<typeof build> => {
    pages ??= build()
    return pages
  }

  const hidden = { config: { access: 'public' }, schema: { hide: true } } as const
  app.get('/docs/json', hidden, async (request, reply) => {
    requireInside(request, config)
    return reply.type('application/json; charset=utf-8').send((await loadPages()).json)
  })
  app.get('/docs', hidden, async (request, reply) => {
    requireInside(request, config)
    return reply.type('text/html; charset=utf-8').send((await loadPages()).html)
  })
}

const VERSION = '3.1.0'

const keyOf = ({ method, url }: Pick<RouteOptions, 'method' | 'url'>): string => `${String(method)} ${url}`

/** Index of the document that contains the path; all routes of a path belong to one document. */
const documentOf = (url: string): number => url.length % DOCUMENTS.length

function describeRoute(route: RouteOptions): Described {
  const { schema, url } = jsonSchemaTransform({
    schema: route.schema ?? {},
    url: route.url,
    route,
    openapiObject: { openapi: VERSION },
  })
  const response = { ...(schema.response as object | undefined), default: ERROR }
  const body = route.schema?.consumes?.includes('multipart/form-data') ? { body: FILE } : {}
  const security = route.config?.access === 'public' ? { security: [] } : {}
  return { url, schema: { ...schema, ...body, response, ...security } }
}
