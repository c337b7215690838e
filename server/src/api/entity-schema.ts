// Builds schemas that document the entity routes. They do not validate, because the store does. Each is built when the documentation is asked
// for: there are thousands of values in them, and a start would spend half of its time on them.

import type { EntityName } from '@tributary/contract/entities/registry'
import type { Entity } from '@tributary/contract/entity'
import type { Field } from '@tributary/contract/field'
import { operatorsOf } from '@tributary/contract/filter'
import { isWritable, maxLength } from '@tributary/contract/validate'
import { fieldDefinition } from '@tributary/contract/words/definition'
import { definitionsEn } from '@tributary/contract/words/en/definitions'
import { type ZodType, z } from 'zod'
import { entityNamed, fieldsOf, isWriteOnly } from '../entities/engine/model/model.ts'

export const rowSchema = (entity: Entity): ZodType => z.lazy(() => buildRow(entity))
export const writeSchema = (entity: Entity, creating: boolean): ZodType => z.lazy(() => buildWrite(entity, creating))
export const listSchema = (entity: Entity): ZodType => z.lazy(() => buildList(entity))
/** The query of a list's export. */
export const exportSchema = (entity: Entity): ZodType => z.lazy(() => buildExport(entity))
/** The query of a list: `filter[path]` and `order[path]` of its declared filters and columns. Other paths work but are not documented. */
export const querySchema = (entity: Entity): ZodType => z.lazy(() => buildQuery(entity))

const id = z.int().positive()
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/)
const day = z.iso.date()

function referenceSchema(to: string): ZodType {
  const target = entityNamed(to)
  const labels = (target.label ?? []).map((name) => [name, z.string().nullish()] as const)
  return z.object({ id, title: z.string(), ...Object.fromEntries(labels) })
}

function readValue(field: Field): ZodType {
  switch (field.kind) {
    case 'reference':
      return referenceSchema(field.to)
    case 'references':
      return z.array(referenceSchema(field.to))
    case 'children':
      return z
        .array(z.record(z.string(), z.unknown()))
        .describe(`Rows of ${field.of}; only with additional-groups: detailed`)
    case 'derived':
      return field.shows === 'links' ? z.record(z.string(), z.string().nullable()) : z.string()
    case 'text':
    case 'integer':
    case 'decimal':
    case 'boolean':
    case 'date':
    case 'datetime':
    case 'choice':
    case 'choices':
    case 'texts':
    case 'uuid':
    case 'json':
      return scalar(field)
  }
}

function scalar(field: Field): ZodType {
  switch (field.kind) {
    case 'text':
      return z.string().max(maxLength(field))
    case 'integer':
      return bounded(z.int(), field.min, field.max)
    case 'decimal':
      return decimal
    case 'boolean':
      return z.boolean()
    case 'date':
      return day
    case 'datetime':
      return z.iso.datetime()
    case 'choice':
      return z.enum(field.options)
    case 'choices':
      return z.array(z.enum(field.options))
    case 'texts':
      return z.array(z.string())
    case 'uuid':
      return z.uuid()
    case 'json':
    case 'reference':
    case 'references':
    case 'children':
    case 'derived':
      return z.unknown()
  }
}

function bounded(schema: z.ZodInt, min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): ZodType {
  return schema.min(min).max(max)
}

/** Describes a value by the definition of its field, with what is said of its form. */
function defined(value: ZodType, entity: Entity, name: string, form: string | undefined): ZodType {
  // Every entity of a route is in the registry.
  const meaning = fieldDefinition(definitionsEn, entity.name as EntityName, name)
  const texts = [meaning, form].filter((text) => text !== undefined)
  return texts.length === 0 ? value : value.describe(texts.join('. '))
}

function buildRow(entity: Entity): ZodType {
  const shape: Record<string, ZodType> = {}
  for (const [name, field] of fieldsOf(entity)) {
    if (isWriteOnly(field)) continue
    const value = readValue(field)
    const isAlways = field.required === true && field.hiddenFrom === undefined && field.needs === undefined
    shape[name] = defined(isAlways ? value : value.nullish(), entity, name, value.description)
  }
  return z.object(shape)
}

function buildWrite(entity: Entity, creating: boolean): ZodType {
  const shape: Record<string, ZodType> = {
    version: z.int().optional().describe('The version that was read; an older one is refused with 409'),
  }
  for (const [name, field] of fieldsOf(entity)) {
    if (!isWritable(field, creating)) continue
    const value = writeValue(field)
    const isNeeded = field.required && creating && name !== 'active'
    shape[name] = defined(isNeeded ? value : value.nullish(), entity, name, value.description)
  }
  return z.object(shape)
}

function writeValue(field: Field): ZodType {
  if (field.kind === 'reference') return id
  if (field.kind === 'references') return z.array(id)
  if (field.kind === 'decimal') return z.union([decimal, z.number()])
  if (field.kind !== 'children') return scalar(field)
  return z
    .array(z.record(z.string(), z.unknown()))
    .describe(`Rows of ${field.of} with id (temp_… when new) and _status new, updated or deleted`)
}

const pagination = z.object({
  page: z.int(),
  limit: z.int(),
  total: z.int(),
  maxPageNumber: z.int(),
  approximate: z.literal(true).optional().describe('The total is an estimate: more than 100,000 rows match'),
})

function buildList(entity: Entity): ZodType {
  const counts = { count_data: z.object({ unapproved: z.tuple([z.int()]) }) }
  const list = z.object({ items: z.array(buildRow(entity)), pagination, ...(entity.countsUnapproved && counts) })
  const lookup = z.object({
    options: z.array(z.object({ id: z.union([id, z.uuid()]), title: z.string() })),
    pagination,
  })
  return z.union([list, lookup])
}

function buildExport(entity: Entity): ZodType {
  const more = {
    format: z.enum(['xlsx', 'csv']).optional().describe('xlsx; a list of more than a million rows becomes csv'),
    'columns[]': z.array(z.string()).optional().describe('Paths of columns in order; those of the list when absent'),
  }
  return z
    .object({ ...filterShape(entity), ...more })
    .describe('All rows that match; headers in the language asked for')
}

function buildQuery(entity: Entity): ZodType {
  return z.object({
    page: z.int().min(1).optional(),
    limit: z.int().optional().describe('-1 = all'),
    lookup: z.literal('1').optional().describe('Options instead of rows'),
    ...filterShape(entity),
  })
}

function filterShape(entity: Entity): Record<string, ZodType> {
  const shape: Record<string, ZodType> = { query: z.string().optional() }
  const fields = fieldsOf(entity)
  for (const path of new Set(['id', 'active', ...entity.list.filters])) {
    const field = fields.get(path.split('.')[0] ?? path)
    if (field === undefined) continue
    shape[`filter[${path}]`] = z
      .string()
      .optional()
      .describe(`Operators: ${operatorsOf(field).join(', ')}`)
  }
  for (const path of entity.list.columns) shape[`order[${path}]`] = z.enum(['ASC', 'DESC']).optional()
  return shape
}
