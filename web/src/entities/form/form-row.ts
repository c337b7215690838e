// Converts rows between the wire and the form. In a form, numbers are texts, references are options, and rows of collections have an
// id, a React key and a deletion mark.
import type { EntityName } from '@tributary/contract/entities/registry'
import { type Field, maySet } from '@tributary/contract/field'
import { isWritable } from '@tributary/contract/validate'
import { currentHolder } from '../../state/profile-facts.ts'
import { entityOf, fieldOf, targetOf } from '../field/field-at.ts'
import { plainText } from '../field/row-text.ts'

const SIGNS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Random names: 16 characters for an unsaved row, 24 for an attempt to create, 8 for a line on the screen. */
function randomText(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(length)), (number) => SIGNS[number % SIGNS.length]).join('')
}

/** The id of a new row of a collection until it is saved. */
export const makeTempId = (): string => `temp_${randomText(16)}`
/** What was sent last to create something, and its idempotency key. */
export interface Attempt {
  readonly body: string
  readonly key: string
}
export const NEVER_SENT: Attempt = { body: '', key: '' }

/** The idempotency key of a creation stays the same for repeated requests; other values get a new one. */
export function nextAttempt(last: Attempt, values: Record<string, unknown>): Attempt {
  const body = JSON.stringify(values)
  return last.body === body ? last : { body, key: randomText(24) }
}
/** The React key of a row of a collection. */
export const makeRowKey = (): string => randomText(8)

/** The values of a form by field. A reference is the chosen option, a collection a `ChildRow[]`. */
export type FormRow = Record<string, unknown>

/** Fields of a collection's row beside those of its entity. */
export interface ChildRow extends FormRow {
  id: number | string
  _key: string
  _status: 'deleted' | null
}

type WireRow = Readonly<Record<string, unknown>>

/** Collections whose rows are shown with their parent but saved on their own. */
const isForeign = (field: Field) => field.kind === 'children' && field.owned !== true

/** The fields that a form of this entity contains; `but` is the field of the parent, in a collection. */
export function formFields(name: EntityName, but = ''): [string, Field][] {
  const { fields, hasActive } = entityOf(name)
  const active = hasActive ? fieldOf(name, 'active') : undefined
  const all = active === undefined ? Object.entries(fields) : [...Object.entries(fields), ['active', active] as const]
  return all
    .filter(([field, declared]) => field !== but && declared.kind !== 'json' && !isForeign(declared))
    .map(([field, declared]) => [field, declared])
}

/** The initial value of a field. */
function emptyValue(name: string, field: Field): unknown {
  switch (field.kind) {
    case 'boolean':
      return name === 'active'
    case 'choices':
      return field.inherits ? null : []
    case 'references':
    case 'texts':
    case 'children':
      return []
    case 'choice':
      // A required choice starts with its first option, which is the usual one.
      return field.required ? (field.options[0] ?? null) : null
    case 'reference':
    case 'date':
    case 'datetime':
      return null
    case 'text':
    case 'integer':
    case 'decimal':
    case 'uuid':
    case 'json':
    case 'derived':
      return ''
  }
}

/** '12.5000' → '12.50', '3.00000000' → '3': removes zeros at the end but keeps `keep` digits. */
export function trimDecimal(text: string, keep: number): string {
  const [whole = '', fraction = ''] = text.split('.')
  const digits = fraction.replace(/0+$/, '').padEnd(keep, '0')
  return digits === '' ? whole : `${whole}.${digits}`
}

function readValue(field: Field, value: unknown): unknown {
  if (field.kind === 'children') return readChildren(field.of, field.by, value)
  if (value === null || value === undefined) return field.kind === 'choice' ? null : emptyValue('', field)
  if (field.kind === 'integer') return plainText(value)
  return field.kind === 'decimal' && !field.readOnly
    ? trimDecimal(plainText(value), field.unit === undefined ? 0 : 2)
    : value
}

function readChildren(of: string, by: string, value: unknown): ChildRow[] {
  const target = targetOf({ kind: 'children', of, by })
  if (target === null || !Array.isArray(value)) return []
  return (value as WireRow[]).map((row) => ({
    ...toForm(target, row, by),
    id: row.id as number,
    _key: makeRowKey(),
    _status: null,
  }))
}

/** Converts a row of the wire; null gives the initial values of a new row. */
export function toForm(name: EntityName, row: WireRow | null, but = ''): FormRow {
  return Object.fromEntries(
    formFields(name, but).map(([field, declared]) => [
      field,
      row === null ? emptyValue(field, declared) : readValue(declared, row[field]),
    ]),
  )
}

/** An empty row of a collection; `by` is the field that refers to the parent. */
export function newChild(name: EntityName, by: string): ChildRow {
  return { ...toForm(name, null, by), id: makeTempId(), _key: makeRowKey(), _status: null }
}

/** True for a row of a collection that was never saved. */
export const isNewChild = (row: ChildRow): boolean => typeof row.id === 'string'

const idsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.map((option) => option.id) : [])

/** The wire format of a value, which the contract also validates. Collections are not values. */
export function toWireValue(field: Field, value: unknown): unknown {
  switch (field.kind) {
    case 'reference':
      return typeof value === 'object' && value !== null && 'id' in value ? value.id : null
    case 'references':
      return idsOf(value)
    case 'integer':
      return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value === '' ? null : value
    case 'text':
      return typeof value === 'string' ? value.trim() || null : null
    case 'decimal':
    case 'uuid':
      return value === '' ? null : value
    case 'boolean':
    case 'date':
    case 'datetime':
    case 'choice':
    case 'choices':
    case 'texts':
    case 'children':
    case 'json':
    case 'derived':
      return value
  }
}

/** True if both values are the same as JSON. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** True if the signed-in user may set the field. */
export function isSettable(field: Field, creating: boolean): boolean {
  const role = currentHolder()?.role
  return isWritable(field, creating) && (role === undefined || maySet(field, role))
}

/** The fields of a form row that a request may set. */
export function writableFields(name: EntityName, creating: boolean, but = ''): [string, Field][] {
  return formFields(name, but).filter(([, field]) => isSettable(field, creating))
}
