// Parameter names of other systems, so that URLs made for them work unchanged. The product's own name takes precedence.

/** Names on tracking links for the partner's own click ID. */
export const CLICK_ID_ALIASES = ['clickid', 'aff_sub', 'aff_click_id', 'external_id', 'externalid', 'subid'] as const

/** Names on postbacks of advertisers, by the product's own name. */
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

/** True for the name of a postback parameter, whether the product's own or an alias. */
export const isParameter = (name: string): boolean => PARAMETERS.has(name)

/** Names of other systems for the product's events. */
const EVENT_ALIASES: ReadonlyMap<string, string> = new Map([
  ...['ftd', 'first_deposit', 'deposit'].map((name) => [name, 'dep'] as const),
  ...['registration', 'register', 'signup', 'sign_up'].map((name) => [name, 'reg'] as const),
])

/** Converts an event's name or alias to the product's name; unknown names become lower case. */
export function toOurEvent(name: string): string {
  const event = name.toLowerCase()
  return EVENT_ALIASES.get(event) ?? event
}

/** The value of the first of these names that the query has. */
export function findAlias(query: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  if (query.size === 0) return undefined
  for (const name of names) {
    const value = query.get(name)
    if (value !== undefined) return value
  }
  return undefined
}

/** Adds the product's own names to parameters that have only aliases. */
export function addOurNames(params: Readonly<Record<string, string>>): Record<string, string> {
  const withOurNames = { ...params }
  for (const [ourName, aliases] of Object.entries(POSTBACK_ALIASES)) {
    if (withOurNames[ourName] !== undefined) continue
    const alias = aliases.find((name) => params[name] !== undefined)
    if (alias !== undefined) withOurNames[ourName] = params[alias] ?? ''
  }
  return withOurNames
}
