// Entity: a change of a row with author, time, cause, and values before and after. The changing transaction writes it.
import { ADMIN_ONLY, NOBODY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const AUDIT_ACTIONS = ['create', 'update', 'delete', 'access'] as const

export const auditLog = defineEntity({
  name: 'audit_log',
  route: '/audit-log',
  access: { view: ADMIN_ONLY, lookup: NOBODY, ...writtenBy(NOBODY) },
  scope: { by: 'everyone' },
  title: 'id',
  fields: {
    at: { kind: 'datetime', readOnly: true, required: true },
    user: { kind: 'reference', to: 'user', orSystem: true, readOnly: true, unsorted: true },
    action: { kind: 'choice', options: AUDIT_ACTIONS, readOnly: true, required: true, unsorted: true },
    entity: { kind: 'text', format: 'entity', readOnly: true, required: true, unsorted: true, whole: true },
    entity_id: { kind: 'integer', readOnly: true, unsorted: true, whole: true },
    cause: { kind: 'text', format: 'cause', readOnly: true, unfiltered: true },
    request_id: { kind: 'text', readOnly: true, unsorted: true, whole: true },
    /** The name of the record. */
    record: { kind: 'derived', shows: 'text', readOnly: true },
    /** The names of the changed fields, in the caller's language. */
    changed: { kind: 'derived', shows: 'text', readOnly: true },
    before: { kind: 'json', readOnly: true, unfiltered: true },
    after: { kind: 'json', readOnly: true, unfiltered: true },
  },
  unique: [],
  hasActive: false,
  isLog: true,
  isLarge: true,
  list: {
    columns: ['at', 'user', 'action', 'record', 'changed', 'entity', 'cause', 'entity_id', 'request_id'],
    filters: ['at', 'user', 'action', 'entity', 'entity_id', 'request_id'],
    sort: { by: 'at', desc: true },
    // Changes of the product itself have no user; sign-ins change no record.
    opensWith: [
      { path: 'user', operator: 'gt', values: ['0'] },
      { path: 'action', operator: 'in', values: AUDIT_ACTIONS.filter((action) => action !== 'access') },
    ],
  },
  form: [],
})
