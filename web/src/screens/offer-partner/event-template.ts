// A postback address as an advertiser pastes it: one event named, and the parameters that this event has.

export const TEMPLATE_EVENTS = ['reg', 'dep', 'bet'] as const
export type TemplateEvent = (typeof TEMPLATE_EVENTS)[number]

const WITHOUT_MONEY: ReadonlySet<string> = new Set(['sum', 'currency', 'transaction_id'])
/** What only a registration tells. */
const ONLY_AT_FIRST: ReadonlySet<string> = new Set(['promocode', 'country'])

/** `url` is the address with every parameter, `…?click_id={click_id}&event={event}&…`. */
export function eventTemplate(url: string, event: TemplateEvent): string {
  const [address = '', query = ''] = url.split('?')
  const left = event === 'reg' ? WITHOUT_MONEY : ONLY_AT_FIRST
  const parameters = query
    .split('&')
    .map((parameter) => parameter.split('=')[0] ?? '')
    .filter((name) => name !== '' && !left.has(name))
    .map((name) => (name === 'event' ? `event=${event}` : `${name}={${name}}`))
  return `${address}?${parameters.join('&')}`
}
