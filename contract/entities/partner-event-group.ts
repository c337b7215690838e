// Entity: a group of event names that several partners share.
import { ADMIN_ONLY, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const partnerEventGroup = defineEntity({
  name: 'partner_event_group',
  route: '/event-groups',
  access: { view: ADMIN_ONLY, lookup: ADMIN_ONLY, ...writtenBy(ADMIN_ONLY) },
  scope: { by: 'everyone' },
  title: 'title',
  fields: {
    title: { kind: 'text', required: true, searched: true },
    partners: {
      kind: 'references',
      to: 'partner',
      through: { table: 'partner_event_group_partner', own: 'partner_event_group_id', other: 'partner_id' },
    },
    events: {
      kind: 'references',
      to: 'event',
      through: { table: 'partner_event_group_event', own: 'partner_event_group_id', other: 'event_id' },
    },
  },
  unique: [['title']],
  hasActive: true,
  list: { columns: ['title', 'events', 'partners'], filters: ['title', 'events', 'partners'] },
  form: [{ name: 'main', fields: ['title', 'events', 'partners'] }],
})
