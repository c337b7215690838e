// A view of a list or report under a name: its filters, sort and page size. Its owner's, and colleagues' when it is shared.
import { NOBODY } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const savedView = defineEntity({
  name: 'saved_view',
  route: null,
  access: { view: 'everyone', lookup: NOBODY, create: 'everyone', edit: 'everyone', remove: 'everyone' },
  scope: { by: 'own', column: 'user_id', shared: 'shared' },
  title: 'title',
  fields: {
    user: { kind: 'reference', to: 'user', readOnly: true },
    /** Name of the list: an entity's or a report's. */
    list: { kind: 'text', format: 'token', required: true, fixed: true, max: 64 },
    title: { kind: 'text', required: true, max: 100 },
    /** Whatever the list needs to look so again: it alone reads it. */
    state: { kind: 'json', unfiltered: true },
    shared: { kind: 'boolean' },
    /** The list opens with it for its owner; one a list. */
    is_default: { kind: 'boolean' },
  },
  unique: [['user', 'list', 'title']],
  hasActive: false,
  list: { columns: ['list', 'title', 'user', 'shared', 'is_default'], filters: ['list', 'shared', 'is_default'] },
  form: [],
})
