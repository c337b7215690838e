// Entity: the kind of place from which visitors come (search, social, streamers …).
import { leadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const trafficSource = defineEntity({
  name: 'traffic_source',
  route: '/traffic-sources',
  access: {
    view: leadersOr('traffic_source_view'),
    lookup: 'everyone',
    ...writtenBy(leadersOr('traffic_source_edit')),
  },
  scope: { by: 'linked', through: { table: 'offer_partner', column: 'traffic_source_id' } },
  title: 'title',
  fields: {
    title: { kind: 'text', required: true, searched: true },
    url: { kind: 'text', format: 'url' },
    crm_type_of_advertising_id: { kind: 'text', format: 'number', max: 64 },
    crm_traffic_source_id: { kind: 'text', format: 'number', max: 64 },
    crm_description: { kind: 'text', format: 'long' },
  },
  unique: [['title']],
  hasActive: true,
  list: {
    columns: ['title', 'url', 'crm_type_of_advertising_id', 'crm_traffic_source_id'],
    filters: ['title', 'url', 'crm_type_of_advertising_id', 'crm_traffic_source_id'],
  },
  form: [
    {
      name: 'main',
      fields: ['title', 'url', 'crm_type_of_advertising_id', 'crm_traffic_source_id', 'crm_description'],
    },
  ],
})
