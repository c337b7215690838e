// Parameter names of other systems, so that URLs set up for them work unchanged. Our own name takes precedence.

/** On tracking links: the partner's own click ID. */
export const CLICK_ID_ALIASES = ['clickid', 'aff_sub', 'aff_click_id', 'external_id', 'externalid', 'subid'] as const

/** On postbacks of advertisers, by our name. */
const POSTBACK_ALIASES: Readonly<Record<string, readonly string[]>> = {
  click_id: ['clickid', 'cid', 'subid'],
  event: ['goal', 'event_name', 'event_type'],
  player_id: ['customer_id', 'user_id'],
  sum: ['amount', 'sale_amount', 'revenue'],
  currency: ['cur'],
  transaction_id: ['transactionid', 'tid', 'order_id'],
  promocode: ['promo', 'promo_code', 'coupon'],
  date: ['datetime'],
}

const PARAMETERS: ReadonlySet<string> = new Set([
  ...Object.entries(POSTBACK_ALIASES).flat(2),
  ...['country', 'site_id', 'sub_id'],
])

/** A parameter of a postback, by our name or another system's. */
export const isParameter = (name: string): boolean => PARAMETERS.has(name)

/** Names of other systems for the events that are counted here. */
const EVENT_ALIASES: ReadonlyMap<string, string> = new Map([
  ...['ftd', 'first_deposit', 'deposit'].map((name) => [name, 'dep'] as const),
  ...['registration', 'register', 'signup', 'sign_up'].map((name) => [name, 'reg'] as const),
])

/** In lower case. */
export function ownEvent(name: string): string {
  const event = name.toLowerCase()
  return EVENT_ALIASES.get(event) ?? event
}

/** The first of these names that is present. */
export function findAlias(query: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  if (query.size === 0) return undefined
  for (const name of names) {
    const value = query.get(name)
    if (value !== undefined) return value
  }
  return undefined
}

/** The parameters with our names beside those of others. */
export function withOwnNames(params: Readonly<Record<string, string>>): Record<string, string> {
  const named = { ...params }
  for (const [own, aliases] of Object.entries(POSTBACK_ALIASES)) {
    if (named[own] !== undefined) continue
    const alias = aliases.find((name) => params[name] !== undefined)
    if (alias !== undefined) named[own] = params[alias] ?? ''
  }
  return named
}
