// The request body of a form: changed fields only, rows of collections with their status. Maps paths of the request to paths of
// the form, so that server errors appear at their fields.
import type { EntityName } from '@tributary/contract/entities/registry'
import type { RowStatus } from '@tributary/contract/entity'
import type { Field } from '@tributary/contract/field'
import { checkField, type Issue, isEmpty } from '@tributary/contract/validate'
import { entityName } from '../field/field-at.ts'
import { type ChildRow, type FormRow, isNewChild, isSame, toWireValue, writableFields } from './form-row.ts'

/** The first issue at each path of the form: 'rates.2.date'. */
export type FormIssues = Record<string, Issue>

/** Validates a form before it is sent: the contract's checks of the row and of every row of its collections. */
export function checkForm(name: EntityName, values: FormRow, creating: boolean, by = '', path = ''): FormIssues {
  const found: FormIssues = {}
  for (const [field, declared] of writableFields(name, creating, by)) {
    const here = `${path}${field}`
    if (declared.kind !== 'children') {
      const [issue] = checkField(declared, toWireValue(declared, values[field]))
      if (issue) found[here] = issue
      continue
    }
    for (const [index, row] of rowsOf(values[field]).entries()) {
      if (row._status === 'deleted') continue
      const inner = checkForm(entityName(declared.of), row, isNewChild(row), declared.by, `${here}.${index}.`)
      Object.assign(found, inner)
    }
  }
  return found
}

/** Counts issues, or empty required fields, per section. */
export function sectionsAt(
  sections: readonly { readonly name: string; readonly fields: readonly string[] }[],
  paths: readonly string[],
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const [field = ''] = path.split('.')
    const section = sections.find(({ fields }) => fields.includes(field))
    if (section) counts.set(section.name, (counts.get(section.name) ?? 0) + 1)
  }
  return counts
}

/** The body of a save, and where its rows are in the form. */
export interface FormChange {
  readonly body: Record<string, unknown>
  /** [path as sent, path in the form] for every sent row of a collection. */
  readonly places: readonly (readonly [string, string])[]
}

type Place = readonly [string, string]

interface Scope {
  readonly name: EntityName
  /** The field of a collection's row that refers to the parent. */
  readonly by: string
  readonly sentPath: string
  readonly formPath: string
  readonly places: Place[]
}

/** `base` is the form row as it was loaded; null for a new row. */
export function buildChange(name: EntityName, values: FormRow, base: FormRow | null): FormChange {
  const places: Place[] = []
  const body = changedFields({ name, by: '', sentPath: '', formPath: '', places }, values, base)
  return { body, places }
}

function changedFields(scope: Scope, values: FormRow, base: FormRow | null): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [field, declared] of writableFields(scope.name, base === null, scope.by)) {
    if (declared.kind === 'children') {
      const rows = sentRows(scope, field, declared, rowsOf(values[field]), rowsOf(base?.[field]))
      if (rows.length > 0) body[field] = rows
      continue
    }
    const value = toWireValue(declared, values[field])
    if (base === null ? !isEmpty(value) : !isSame(value, toWireValue(declared, base[field]))) body[field] = value
  }
  return body
}

/** The rows of a collection in form values; none if it was not loaded. */
export const rowsOf = (value: unknown): ChildRow[] => (Array.isArray(value) ? (value as ChildRow[]) : [])

function sentRows(
  scope: Scope,
  field: string,
  declared: Extract<Field, { kind: 'children' }>,
  rows: readonly ChildRow[],
  before: readonly ChildRow[],
): Record<string, unknown>[] {
  const sent: Record<string, unknown>[] = []
  for (const [index, row] of rows.entries()) {
    const status = statusOf(row)
    const inner: Scope = {
      name: entityName(declared.of),
      by: declared.by,
      sentPath: join(scope.sentPath, field, sent.length),
      formPath: join(scope.formPath, field, index),
      places: scope.places,
    }
    const base = isNewChild(row) ? null : (before.find(({ id }) => id === row.id) ?? null)
    const changed = status === 'deleted' ? {} : changedFields(inner, row, base)
    if (status === 'updated' && Object.keys(changed).length === 0) continue
    scope.places.push([inner.sentPath, inner.formPath])
    sent.push({ id: row.id, _status: status, ...changed })
  }
  return sent
}

function statusOf(row: ChildRow): RowStatus {
  if (row._status === 'deleted') return 'deleted'
  return isNewChild(row) ? 'new' : 'updated'
}

const join = (path: string, field: string, index: number) => `${path === '' ? '' : `${path}.`}${field}.${index}`

/** Converts a path of the server into a path of the form. */
export function placeInForm(places: FormChange['places'], path: string): string {
  const [sent, form] = places
    .filter(([prefix]) => path === prefix || path.startsWith(`${prefix}.`))
    .reduce<Place>((longest, place) => (place[0].length > longest[0].length ? place : longest), ['', ''])
  return sent === '' ? path : form + path.slice(sent.length)
}
