// Mounts the declared calls as routes; path, access, limits, validation and documentation come from the declarations.

import { open } from 'node:fs/promises'
import multipart from '@fastify/multipart'
import type { Call } from '@tributary/contract/call'
import { CALL_NAMES, CALLS } from '@tributary/contract/calls/registry'
import { ENTITIES, isEntityName } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { CallInput, Handler, SheetAnswer, StoredFile } from '../calls/handler.ts'
import { HANDLERS } from '../calls/registry.ts'
import { contextFor } from '../entities/engine/model/request-context.ts'
import { readIdempotencyKey } from '../entities/engine/save/idempotency.ts'
import { dropUpload, type Upload } from '../entities/upload.ts'
import { AppError } from '../lib/app-error.ts'
import type { Services } from '../services.ts'
import type { ApiApp } from './app.ts'
import { disconnectSignal } from './connections.ts'
import { languageOf } from './error-reply.ts'
import { sendJson } from './json-reply.ts'
import { receiveUpload } from './receive-upload.ts'
import { sendSheet } from './sheet-reply.ts'

/** A call without a declared query accepts no parameters. */
const NO_QUERY = z.strictObject({})

export async function addCallRoutes(app: ApiApp, services: Services): Promise<void> {
  // Only this scope accepts multipart bodies; elsewhere they are an unknown content type.
  await app.register(async (files: ApiApp) => {
    await files.register(multipart, { defCharset: 'utf8' })
    mountCalls(files, services, true)
  })
  mountCalls(app, services, false)
}

function mountCalls(app: ApiApp, services: Services, withUpload: boolean): void {
  // The registry checks that each handler fits its call.
  for (const name of CALL_NAMES)
    if ('upload' in CALLS[name] === withUpload) mountCall(app, CALLS[name], HANDLERS[name], services)
}

function mountCall(app: ApiApp, call: Call, handle: Handler<Call>, services: Services): void {
  const status = call.status ?? (call.answer === undefined ? 204 : 200)
  app.route({
    method: call.method,
    url: `/${call.path}`,
    config: {
      access: call.access,
      sessionOnly: call.sessionOnly === true,
      ignoresGroupFilter: (call.ignoresGroupFilter ?? entityOfPath(call.path)?.ignoresGroupFilter) === true,
      isReading: call.isReading === true,
      bodyLimits: call.bodyLimits ?? {},
      ...(call.callsPerMinute !== undefined && { rateLimit: { max: call.callsPerMinute } }),
    },
    schema: {
      operationId: call.name,
      tags: [call.path.split('/')[0] ?? call.name],
      querystring: call.query ?? NO_QUERY,
      ...(call.upload && { consumes: ['multipart/form-data'] }),
      ...(call.params && { params: call.params }),
      ...(call.body && { body: call.body }),
      ...(call.answer && { response: { [status]: call.answer } }),
    },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const file = call.upload && (await receiveUpload(request, call.upload, services))
      try {
        const answer: unknown = await handle(readInput(request, reply, call, file, services), services)
        if (isSheet(call, answer)) return await sendSheet(reply, answer.sheet, answer.format)
        if (isStoredFile(call, answer)) return await sendStoredFile(reply, answer)
        if (call.isLong === true && answer instanceof Object) return await sendJson(reply.status(status), answer)
        return await reply.status(status).send(answer)
      } catch (error) {
        if (file !== undefined) await dropUpload(services, file.id)
        throw error
      }
    },
  })
}

function entityOfPath(path: string): Entity | undefined {
  const [name = ''] = path.split('/')
  return isEntityName(name) ? ENTITIES[name] : undefined
}

/** These guards restore the answer's type, which the loop over all calls loses. */
const isSheet = (call: Call, answer: unknown): answer is SheetAnswer => call.sheet === true && answer !== undefined
const isStoredFile = (call: Call, answer: unknown): answer is StoredFile =>
  call.returnsStoredFile === true && answer !== undefined

function readInput(
  request: FastifyRequest,
  reply: FastifyReply,
  call: Call,
  file: Upload | undefined,
  services: Services,
): CallInput<Call> {
  const { params, query, body } = request
  // Undefined for public calls, whose handlers are typed without a person.
  const person = call.access === 'public' ? undefined : request.person
  const context = person && { ...contextFor(person, request.id, services), language: languageOf(request) }
  return {
    // The schemas of the call have validated these.
    ...({ params, query, body } as Pick<CallInput<Call>, 'params' | 'query' | 'body'>),
    // Present if and only if the call declares an upload.
    file: file as CallInput<Call>['file'],
    ...({ person, context } as Pick<CallInput<Call>, 'person' | 'context'>),
    language: languageOf(request),
    ip: request.ip,
    userAgent: request.headers['user-agent'],
    onceKey: readIdempotencyKey(request.headers['idempotency-key']),
    requestId: request.id,
    signal: disconnectSignal(reply),
  }
}

/** Streams a stored file as a download. Throws `not_found` if it no longer exists. */
async function sendStoredFile(reply: FastifyReply, file: StoredFile): Promise<FastifyReply> {
  const { name, type } = file
  const { size, body } = 'bytes' in file ? { size: file.bytes.length, body: file.bytes } : await openFile(file.path)
  // `filename*` contains names in any script; `filename` is for clients that do not support it.
  const plain = name.replace(/[^\w .-]/g, '_')
  return reply
    .status(200)
    .header('content-type', type)
    .header('content-length', size)
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`)
    .send(body)
}

async function openFile(path: string) {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new AppError('not_found')
    throw error
  })
  return { size: (await file.stat()).size, body: file.createReadStream() }
}
