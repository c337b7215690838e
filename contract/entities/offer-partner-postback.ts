// Entity: a URL to which the advertiser reports events of a partner offer. Each partner offer has one main URL and any number of extra ones.
import { leadersOr, STAFF, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const POSTBACK_KINDS = ['main', 'extra'] as const

export const offerPartnerPostback = defineEntity({
  name: 'offer_partner_postback',
  route: null,
  access: { view: STAFF, lookup: STAFF, ...writtenBy(leadersOr('manager_access')) },
  scope: { by: 'through', column: 'offer_partner_id', entity: 'offer_partner' },
  title: 'title',
  fields: {
    offer_partner: { kind: 'reference', to: 'offer_partner', required: true, fixed: true },
    uuid: { kind: 'uuid', readOnly: true },
    kind: { kind: 'choice', options: POSTBACK_KINDS, required: true },
    title: { kind: 'text' },
    url: { kind: 'derived', readOnly: true, shows: 'link' },
  },
  unique: [['uuid']],
  hasActive: true,
  list: { columns: ['offer_partner', 'kind', 'title', 'uuid'], filters: ['offer_partner', 'kind'] },
  form: [{ name: 'main', fields: ['offer_partner', 'kind', 'title'] }],
})
