// Splits a request body into values of the row and changes of its collections. Unknown and read-only fields are rejected by name.

import type { Entity } from '@tributary/contract/entity'
import type { Field } from '@tributary/contract/field'
import { firstDayOf } from '@tributary/contract/period'
import { checkField, checkPercentage, type Issue, integerOf, isEmpty, isWritable } from '@tributary/contract/validate'
import type { IssueTree } from '../../../lib/app-error.ts'
import { fieldsOf, type Row } from '../model/model.ts'
import { isVisible, type RequestContext } from '../model/request-context.ts'

/** A parsed body. Values have the shape of a snapshot. */
export interface RequestRow {
  values: Row
  collections: Record<string, readonly Row[]>
  /** Version that the client read. */
  version: number | undefined
  issues: IssueTree
}

/** Keys beside fields; in a collection, `id` and `_status` identify the row. */
const ENVELOPE = new Set(['version'])
const ROW_ENVELOPE = new Set(['version', 'id', '_status'])

/** How a row of a request is validated. */
export interface RequestRowOptions {
  creating: boolean
  /** Field that refers to the parent of a collection's row; the store sets it. */
  parentField?: string
}

/** True for a JSON object. */
export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Collects errors in `issues`; throws nothing. */
export function readRequestRow(
  context: RequestContext,
  entity: Entity,
  body: Row,
  { creating, parentField }: RequestRowOptions,
): RequestRow {
  const read: RequestRow = { values: {}, collections: {}, version: undefined, issues: {} }
  const fields = fieldsOf(entity)
  const envelope = parentField === undefined ? ENVELOPE : ROW_ENVELOPE
  for (const [name, value] of Object.entries(body)) {
    if (envelope.has(name)) continue
    const field = fields.get(name)
    const rejected =
      field === undefined || !isVisible(context, field) ? 'unknown_field' : rejectionKey(field, name === parentField)
    if (rejected !== undefined) defineIssue(read.issues, name, [{ key: rejected }])
    else if (field !== undefined) readValue(read, name, field, value, creating)
  }
  readVersion(read, body)
  return read
}

const rejectionKey = (field: Field, isParent: boolean): Issue['key'] | undefined =>
  isParent || !isWritable(field, true) ? 'read_only' : undefined

function readValue(read: RequestRow, name: string, field: Field, sent: unknown, creating: boolean): void {
  const value = asWritten(field, sent)
  // An empty value of a new row is ignored, so that a default applies.
  const isEmptySet = field.kind === 'choices' && field.inherits === true && Array.isArray(value)
  if (isEmpty(value) && creating && field.kind !== 'children' && !isEmptySet) return
  const issues = checkField(field, value)
  if (issues.length > 0) read.issues[name] = issues
  else if (field.kind === 'children') readCollection(read, name, value)
  else read.values[name] = normalise(field, value)
}

/** A reference may be sent as it is read, `{id, title, …}`: returns its id, or any other value unchanged. */
export const referencedId = (value: unknown): unknown =>
  isRow(value) && typeof value.id === 'number' ? value.id : value

function asWritten(field: Field, value: unknown): unknown {
  if (field.kind === 'reference') return referencedId(value)
  return field.kind === 'references' && Array.isArray(value) ? value.map(referencedId) : value
}

function readCollection(read: RequestRow, name: string, value: unknown): void {
  const rows = Array.isArray(value) ? value : []
  if (rows.every(isRow)) read.collections[name] = rows
  else read.issues[name] = [{ key: 'value_invalid' }]
}

/** Required fields that are empty in the values of a new row. */
export function findEmptyRequired(entity: Entity, values: Row): string[] {
  return Object.entries(entity.fields).flatMap(([name, field]) =>
    field.required && !field.readOnly && isEmpty(values[name]) ? [name] : [],
  )
}

/** Percentages that the change sets, or turns into percentages; rules may have set them. */
export function findWrongPercentages(entity: Entity, values: Row, before: Row | null): [string, Issue][] {
  const row = { ...before, ...values }
  return Object.entries(entity.fields).flatMap(([name, field]): [string, Issue][] => {
    if (field.kind !== 'decimal' || field.readOnly) return []
    const isSet = Object.hasOwn(values, name) || Object.hasOwn(values, field.percentWhen?.field ?? name)
    return isSet ? checkPercentage(field, row, row[name]).map((issue) => [name, issue]) : []
  })
}

function readVersion(read: RequestRow, body: Row): void {
  const version = body.version
  if (version === undefined || version === null) return
  if (typeof version === 'number' && Number.isSafeInteger(version)) read.version = version
  else read.issues.version = [{ key: 'value_invalid' }]
}

/** Stored form of an empty value, if it is not null. */
const EMPTY: Partial<Record<Field['kind'], unknown>> = { references: [], texts: [], choices: [], boolean: false }

function normalise(field: Field, value: unknown): unknown {
  if (value === null && field.kind === 'choices' && field.inherits) return null
  if (isEmpty(value)) return EMPTY[field.kind] ?? null
  switch (field.kind) {
    case 'text':
      // Passwords keep their spaces.
      return field.writeOnly ? String(value) : String(value).trim() || null
    case 'decimal':
      return String(value)
    case 'uuid':
      return String(value).toLowerCase()
    case 'references':
      // Checked above.
      return [...new Set(value as number[])].sort((a, b) => a - b)
    case 'texts':
      return [...new Set((value as string[]).map((text) => text.trim()))]
    case 'choices':
      return [...new Set(value as string[])]
    case 'integer':
      return integerOf(value)
    case 'date':
      return field.isMonth === true ? firstDayOf(String(value)) : value
    case 'boolean':
    case 'datetime':
    case 'choice':
    case 'reference':
    case 'children':
    case 'json':
    case 'derived':
      return value
  }
}

/** Adds issues under a name from the client, so that even `__proto__` becomes an ordinary key. */
function defineIssue(tree: IssueTree, name: string, issues: readonly Issue[]): void {
  Object.defineProperty(tree, name, { value: issues, enumerable: true, writable: true, configurable: true })
}
