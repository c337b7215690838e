// Routes for many rows of a list, selected by a filter or by ids: export as a file, activate and deactivate.

import type { Requirement } from '@tributary/contract/access'
import { activeField, type Entity } from '@tributary/contract/entity'
import type { ListQuery } from '@tributary/contract/list-query'
import { bulkAnswer, EXPORT_JOB, SELECTION_BODY_LIMITS, selectionSchema } from '@tributary/contract/selection'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { exportEntity } from '../entities/engine/list/export.ts'
import { readListQuery, readSelection } from '../entities/engine/list/params.ts'
import { contextFor } from '../entities/engine/model/request-context.ts'
import { createProgressPublisher } from '../entities/engine/progress-publisher.ts'
import { activateSelected, toBulkAnswer } from '../entities/engine/save/bulk.ts'
import { invalidField } from '../lib/app-error.ts'
import type { SheetFormat } from '../lib/sheet.ts'
import { withStatementScope } from '../lib/statement-scope.ts'
import { WORDS } from '../lib/words.ts'
import type { Services } from '../services.ts'
import type { ApiApp } from './app.ts'
import { disconnectSignal } from './connections.ts'
import { exportSchema } from './entity-schema.ts'
import { languageOf } from './error-reply.ts'
import { sendSheet } from './sheet-reply.ts'

const COLUMNS_CAP = 200

const exportBody = selectionSchema.extend({
  format: z.enum(['xlsx', 'csv']).default('xlsx'),
  /** Paths in order; empty for the columns of the list. */
  columns: z.array(z.string().max(200)).max(COLUMNS_CAP).default([]),
  /** `order[title]=ASC`, as in a list's query string. */
  order: z.string().max(2000).default(''),
})

interface ExportQuery {
  readonly query: ListQuery
  readonly columns: readonly string[]
  readonly format: SheetFormat
}

/** GET accepts the list's filter. POST accepts a selection, which may have too many ids for a URL. */
export function addExportRoutes(app: ApiApp, services: Services, entity: Entity): void {
  const { view, sessionOnly = false } = entity.access
  const tags = [entity.name]
  const path = `/${entity.name}/export`
  const send = async (request: FastifyRequest, reply: FastifyReply, requested: ExportQuery): Promise<FastifyReply> => {
    const language = languageOf(request)
    const context = { ...contextFor(request.person, request.id, services), language }
    const options = { columns: requested.columns, words: WORDS[language], signal: disconnectSignal(reply) }
    const sheet = await withStatementScope('export', () => exportEntity(context, entity, requested.query, options))
    return sendSheet(reply, sheet, requested.format, createProgressPublisher(services.postgres, EXPORT_JOB, context))
  }
  app.get(
    path,
    { ...DESCRIBED_ONLY, config: { access: view, sessionOnly }, schema: { tags, querystring: exportSchema(entity) } },
    (request, reply) => send(request, reply, readExportQuery(request)),
  )
  const config = { access: view, sessionOnly, isReading: true, bodyLimits: SELECTION_BODY_LIMITS }
  app.post(path, { config, schema: { tags, body: exportBody } }, (request, reply) => {
    const { format, columns, order, ...selection } = request.body
    const query = { ...readSelection(selection), order: readListQuery(new URLSearchParams(order)).order }
    return send(request, reply, { query, columns, format })
  })
}

function readExportQuery(request: FastifyRequest): ExportQuery {
  const params = paramsOf(request)
  const format = params.get('format') ?? 'xlsx'
  if (format !== 'xlsx' && format !== 'csv') throw invalidField('format', 'choice_unknown')
  const columns = params.getAll('columns[]')
  if (columns.length > COLUMNS_CAP) throw invalidField('columns[]', 'value_invalid')
  return { query: readListQuery(params, ['format', 'columns[]']), columns, format }
}

const activateQuery = z.strictObject({ activate: z.enum(['0', '1', 'false', 'true']) })

export function addBulkRoute(app: ApiApp, services: Services, entity: Entity): void {
  const { edit, sessionOnly = false } = entity.access
  const flag = activeField(entity)
  if (flag === null || !isGrantable(edit) || entity.source === 'clickhouse') return
  app.put(
    `/${entity.name}/activate`,
    {
      config: {
        access: edit,
        sessionOnly,
        ignoresGroupFilter: entity.ignoresGroupFilter === true,
        bodyLimits: SELECTION_BODY_LIMITS,
      },
      schema: {
        tags: [entity.name],
        querystring: activateQuery,
        body: selectionSchema,
        response: { 200: bulkAnswer },
      },
    },
    async (request) => {
      const isActive = request.query.activate === '1' || request.query.activate === 'true'
      const context = contextFor(request.person, request.id, services)
      return toBulkAnswer(await activateSelected(context, entity, request.body, flag, isActive), languageOf(request))
    },
  )
}

/** Schemas only document these routes: the store validates input against the row, and answers are not validated again. */
export const DESCRIBED_ONLY = {
  validatorCompiler: () => (value: unknown) => ({ value }),
  serializerCompiler: () => (value: unknown) => JSON.stringify(value),
}

export const isGrantable = (requirement: Requirement): boolean =>
  requirement === 'everyone' || (requirement.roles ?? []).length + (requirement.permissions ?? []).length > 0

export const paramsOf = ({ url }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length))
