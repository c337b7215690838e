// A request's body, split into what the store writes: values of the row's own columns, and changes of its collections. Unknown and
// read-only fields are refused by name, so nothing is set that the contract does not offer.

import type { Entity } from '@tributary/contract/entity'
import type { Field } from '@tributary/contract/field'
import { checkField, type Issue, integerOf, isEmpty, isWritable } from '@tributary/contract/validate'
import type { IssueTree } from '../../../lib/app-error.ts'
import { fieldsOf, type Row } from '../model/model.ts'
import { isVisible, type RequestContext } from '../model/request-context.ts'

export interface RequestRow {
  values: Row
  collections: Record<string, readonly Row[]>
  /** The version that the sender has read. */
  version: number | undefined
  issues: IssueTree
}

/** What every request may carry beside fields: `id` and `_status` say which row of a collection is meant. */
const ENVELOPE = new Set(['version'])
const ROW_ENVELOPE = new Set(['version', 'id', '_status'])

export interface RequestRowOptions {
  creating: boolean
  /** The field that refers to the parent, in a row of a collection: set by the store. */
  parentField?: string
}

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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
    const refused =
      field === undefined || !isVisible(context, field) ? 'unknown_field' : refusal(field, name === parentField)
    if (refused !== undefined) define(read.issues, name, [{ key: refused }])
    else if (field !== undefined) takeValue(read, name, field, value, creating)
  }
  readVersion(read, body)
  return read
}

const refusal = (field: Field, isParent: boolean): Issue['key'] | undefined =>
  isParent || !isWritable(field, true) ? 'read_only' : undefined

function takeValue(read: RequestRow, name: string, field: Field, sent: unknown, creating: boolean): void {
  const value = asWritten(field, sent)
  // A default takes the place of an empty value, so it is as if the field had not been sent.
  const isEmptySet = field.kind === 'choices' && field.inherits === true && Array.isArray(value)
  if (isEmpty(value) && creating && field.kind !== 'children' && !isEmptySet) return
  const issues = checkField(field, value)
  if (issues.length > 0) read.issues[name] = issues
  else if (field.kind === 'children') takeCollection(read, name, value)
  else read.values[name] = normalise(field, value)
}

/** A reference as it is written: `{id, title, …}`, as which it is read, means its id. */
export const referencedId = (value: unknown): unknown =>
  isRow(value) && typeof value.id === 'number' ? value.id : value

function asWritten(field: Field, value: unknown): unknown {
  if (field.kind === 'reference') return referencedId(value)
  return field.kind === 'references' && Array.isArray(value) ? value.map(referencedId) : value
}

function takeCollection(read: RequestRow, name: string, value: unknown): void {
  const rows = Array.isArray(value) ? value : []
  if (rows.every(isRow)) read.collections[name] = rows
  else read.issues[name] = [{ key: 'value_invalid' }]
}

/** Required fields that a new row would be without, after defaults have been filled in. */
export function findMissing(entity: Entity, values: Row): string[] {
  return Object.entries(entity.fields).flatMap(([name, field]) =>
    field.required && !field.readOnly && isEmpty(values[name]) ? [name] : [],
  )
}

function readVersion(read: RequestRow, body: Row): void {
  const version = body.version
  if (version === undefined || version === null) return
  if (typeof version === 'number' && Number.isSafeInteger(version)) read.version = version
  else read.issues.version = [{ key: 'value_invalid' }]
}

/** What an empty value is stored as, where that is not null. */
const EMPTY: Partial<Record<Field['kind'], unknown>> = { references: [], texts: [], choices: [], boolean: false }

function normalise(field: Field, value: unknown): unknown {
  if (value === null && field.kind === 'choices' && field.inherits) return null
  if (isEmpty(value)) return EMPTY[field.kind] ?? null
  switch (field.kind) {
    case 'text':
      // A password may begin or end with whatever it likes.
      return field.writeOnly ? String(value) : String(value).trim() || null
    case 'decimal':
      return String(value)
    case 'uuid':
      return String(value).toLowerCase()
    case 'references':
      // Checked above: whole numbers and texts.
      return [...new Set(value as number[])].sort((a, b) => a - b)
    case 'texts':
      return [...new Set((value as string[]).map((text) => text.trim()))]
    case 'choices':
      return [...new Set(value as string[])]
    case 'integer':
      return integerOf(value)
    case 'boolean':
    case 'date':
    case 'datetime':
    case 'choice':
    case 'reference':
    case 'children':
    case 'json':
    case 'derived':
      return value
  }
}

/** The name is the sender's: `__proto__` must become a field like any other. */
function define(tree: IssueTree, name: string, issues: readonly Issue[]): void {
  Object.defineProperty(tree, name, { value: issues, enumerable: true, writable: true, configurable: true })
}
