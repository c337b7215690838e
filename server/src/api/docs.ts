// The API described by itself: OpenAPI 3.1 made from the schemas that check the requests, and a page to read it on, without scripts.
import swagger from '@fastify/swagger'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { ApiApp } from './app.ts'
import { renderDocs } from './docs-page.ts'

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

/** Must run before the routes that it is to describe are added. */
export async function addDocs(app: ApiApp): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Tributary', version: '1', description: 'The back office of an affiliate network' },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      security: [{ bearer: [] }],
    },
    transform: (document) => {
      const described = jsonSchemaTransform(document)
      const schema = described.schema ?? {}
      const response = { ...(schema.response as object | undefined), default: ERROR }
      const isPublic = document.route.config?.access === 'public'
      const body = document.schema?.consumes?.includes('multipart/form-data') ? { body: FILE } : {}
      return { url: described.url, schema: { ...schema, ...body, response, ...(isPublic && { security: [] }) } }
    },
  })
  const hidden = { config: { access: 'public' }, schema: { hide: true } } as const
  app.get('/docs/json', hidden, () => app.swagger())
  app.get('/docs', hidden, (_request, reply) => reply.type('text/html; charset=utf-8').send(renderDocs(app.swagger())))
}
