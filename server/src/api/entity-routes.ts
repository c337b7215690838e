// Server module with the generic routes of every entity: list, look-up, read, create, update, delete. An operation that nobody may use has no route.

import type { Requirement } from '@tributary/contract/access'
import { ENTITY_BODY_LIMITS } from '@tributary/contract/call'
import { ENTITIES } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import type { Issue } from '@tributary/contract/validate'
import { say } from '@tributary/contract/words/messages'
import type { FastifyRequest } from 'fastify'
import { listClickhouse, readClickhouse } from '../entities/engine/clickhouse/list.ts'
import { answerAllOnOnePage, readListQuery } from '../entities/engine/list/params.ts'
import { type Row, readRowId } from '../entities/engine/model/model.ts'
import { contextFor, type RequestContext } from '../entities/engine/model/request-context.ts'
import { readIdempotencyKey } from '../entities/engine/save/idempotency.ts'
import { isRow } from '../entities/engine/save/request-row.ts'
import {
  createEntity,
  listEntity,
  lookUpEntity,
  NOTICES,
  readEntity,
  removeEntity,
  updateEntity,
} from '../entities/engine/store.ts'
import { AppError } from '../lib/app-error.ts'
import { withStatementScope } from '../lib/statement-scope.ts'
import type { ServerModule } from '../server-module.ts'
import type { Services } from '../services.ts'
import type { ApiApp } from './app.ts'
import { authorize } from './authenticate.ts'
import { listSchema, querySchema, rowSchema, writeSchema } from './entity-schema.ts'
import { languageOf } from './error-reply.ts'
import { sendJson } from './json-reply.ts'
import { addBulkRoute, addExportRoutes, DESCRIBED_ONLY, isGrantable, paramsOf } from './list-routes.ts'

export const entityModule: ServerModule = {
  name: 'entities',
  roles: ['api'],
  routes(app, services) {
    // Widens the literal type of each entity.
    const entities: readonly Entity[] = Object.values(ENTITIES)
    for (const entity of entities) addEntityRoutes(app, services, entity)
  },
}

interface RouteInput {
  context: RequestContext
  entity: Entity
  request: FastifyRequest
}

function addEntityRoutes(app: ApiApp, services: Services, entity: Entity): void {
  const { view, lookup, create, edit, remove, sessionOnly = false } = entity.access
  const forRows = { sessionOnly, ignoresGroupFilter: entity.ignoresGroupFilter === true }
  const tags = [entity.name]
  const base = `/${entity.name}`
  const row = rowSchema(entity)
  const input = (request: FastifyRequest): RouteInput => ({
    context: { ...contextFor(request.person, request.id, services), language: languageOf(request) },
    entity,
    request,
  })

  app.get(
    base,
    {
      ...DESCRIBED_ONLY,
      config: { access: either(view, lookup), sessionOnly },
      schema: { tags, querystring: querySchema(entity), response: { 200: listSchema(entity) } },
    },
    async (request, reply) => sendJson(reply, await answerList(input(request))),
  )
  addExportRoutes(app, services, entity)
  addBulkRoute(app, services, entity)
  app.get(
    `${base}/:id`,
    { ...DESCRIBED_ONLY, config: { access: view, ...forRows }, schema: { tags, response: { 200: row } } },
    (request) => answerRow(input(request)),
  )
  if (isGrantable(create)) {
    app.post(
      base,
      {
        ...DESCRIBED_ONLY,
        config: { access: create, ...forRows, bodyLimits: ENTITY_BODY_LIMITS },
        schema: { tags, body: writeSchema(entity, true), response: { 201: row } },
      },
      async (request, reply) => {
        const answer = await createEntity(
          contextFor(request.person, request.id, services),
          entity,
          readBody(request),
          readingOf(request),
          readIdempotencyKey(request.headers['idempotency-key']),
        )
        return reply.status(201).send(translateNotices(answer, request))
      },
    )
  }
  if (isGrantable(edit)) {
    app.route({
      ...DESCRIBED_ONLY,
      method: ['PUT', 'PATCH'],
      url: `${base}/:id`,
      config: { access: edit, ...forRows, bodyLimits: ENTITY_BODY_LIMITS },
      schema: { tags, body: writeSchema(entity, false), response: { 200: row } },
      async handler(request) {
        const context = contextFor(request.person, request.id, services)
        const id = readRowId(textId(request))
        return translateNotices(await updateEntity(context, entity, id, readBody(request), readingOf(request)), request)
      },
    })
  }
  if (isGrantable(remove)) {
    app.delete(
      `${base}/:id`,
      { ...DESCRIBED_ONLY, config: { access: remove, ...forRows }, schema: { tags } },
      async (request, reply) => {
        await removeEntity(contextFor(request.person, request.id, services), entity, readRowId(textId(request)))
        return reply.status(204).send()
      },
    )
  }
}

function either(a: Requirement, b: Requirement): Requirement {
  if (a === 'everyone' || b === 'everyone') return 'everyone'
  return {
    roles: [...(a.roles ?? []), ...(b.roles ?? [])],
    permissions: [...(a.permissions ?? []), ...(b.permissions ?? [])],
  }
}

function answerList({ context, entity, request }: RouteInput): Promise<object> {
  const params = paramsOf(request)
  const isLookup = ['1', 'true'].includes(params.get('lookup') ?? '')
  authorize(isLookup ? entity.access.lookup : entity.access.view, request.person)
  const query = readListQuery(params, ['lookup'])
  if (entity.source === 'clickhouse')
    return withStatementScope('list', () => answerAllOnOnePage(query, (page) => listClickhouse(context, entity, page)))
  if (isLookup) return withStatementScope('lookup', () => lookUpEntity(context, entity, query))
  return withStatementScope('list', () => listEntity(context, entity, query, readingOf(request)))
}

function answerRow({ context, entity, request }: RouteInput): Promise<Row> {
  if (entity.source === 'clickhouse') return readClickhouse(context, entity, textId(request))
  return readEntity(context, entity, readRowId(textId(request)), readingOf(request))
}

/** Adds the notices of a change as [{code, message}]. */
function translateNotices({ [NOTICES]: notices, ...row }: Row, request: FastifyRequest): Row {
  if (!Array.isArray(notices)) return row
  const language = languageOf(request)
  return {
    ...row,
    notices: notices.map(({ key, values }: Issue) => ({ code: key, message: say(language, key, values) })),
  }
}

const readingOf = (request: FastifyRequest): { detailed: boolean } => ({
  detailed: String(request.headers['additional-groups'] ?? '')
    .split(',')
    .some((group) => group.trim() === 'detailed'),
})

const textId = ({ params }: FastifyRequest): string => (isRow(params) ? String(params.id) : '')

function readBody({ body }: FastifyRequest): Row {
  if (!isRow(body)) throw new AppError('bad_request')
  return body
}
