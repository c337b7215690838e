// Entity: a named view of a list: filters, sort and page size. It is private to its owner unless shared.
import { NOBODY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const savedView = defineEntity({
  name: 'saved_view',
  route: null,
  access: { view: 'everyone', lookup: NOBODY, ...writtenBy('everyone') },
  scope: { by: 'own', column: 'user_id', shared: 'shared' },
  title: 'title',
  fields: {
    user: { kind: 'reference', to: 'user', readOnly: true },
    /** Name of the list: an entity or a report. */
    list: { kind: 'text', format: 'token', required: true, fixed: true, max: 64 },
    title: { kind: 'text', required: true, max: 100 },
    /** State of the list; only the list itself interprets it. */
    state: { kind: 'json', unfiltered: true },
    shared: { kind: 'boolean' },
    /** The owner's list opens with this view; at most one per list. */
    is_default: { kind: 'boolean' },
  },
  unique: [['user', 'list', 'title']],
  hasActive: false,
  list: { columns: ['list', 'title', 'user', 'shared', 'is_default'], filters: ['list', 'shared', 'is_default'] },
  form: [],
})
