// Entity: a URL that receives outbound postbacks of a partner.
import { PARTNER_DETAILS } from '../access.ts'
import { defineEntity } from '../entity.ts'

export const POSTBACK_METHODS = ['GET', 'POST'] as const
/** `custom`: other events of advertisers for which the partner has a name (see entity event). */
export const TOLD_EVENTS = ['reg', 'ftd', 'dep', 'bet', 'bl', 'custom'] as const

export const partnerPostbackUrl = defineEntity({
  name: 'partner_postback_url',
  route: null,
  access: PARTNER_DETAILS,
  scope: { by: 'partner', column: 'partner_id' },
  title: 'url',
  fields: {
    partner: { kind: 'reference', to: 'partner', required: true, fixed: true },
    url: { kind: 'text', format: 'template', required: true, max: 2048 },
    method: { kind: 'choice', options: POSTBACK_METHODS, required: true },
    events: { kind: 'choices', options: TOLD_EVENTS },
    /** Each call carries a signature that the partner verifies with the key. */
    signed: { kind: 'boolean' },
    signing_key: { kind: 'derived', readOnly: true, shows: 'text' },
  },
  unique: [],
  hasActive: true,
  list: { columns: ['partner', 'url', 'method', 'events', 'signed'], filters: ['partner', 'method'] },
  form: [{ name: 'main', fields: ['partner', 'url', 'method', 'events', 'signed', 'signing_key'] }],
})
