// What an advertiser's event of each kind is told with, by the names of the postback address. Pure.

export const TESTED_EVENTS = ['reg', 'dep', 'bet'] as const
export type TestedEvent = (typeof TESTED_EVENTS)[number]

const REGISTRATION = ['player_id', 'click_id', 'site_id', 'sub_id', 'promocode', 'country', 'date'] as const
const MONEY = ['player_id', 'click_id', 'sum', 'currency', 'transaction_id', 'date'] as const
export type EventField = (typeof REGISTRATION)[number] | (typeof MONEY)[number]

export const EVENT_FIELDS: Readonly<Record<TestedEvent, readonly EventField[]>> = {
  reg: REGISTRATION,
  dep: MONEY,
  bet: MONEY,
}

/** What was left empty is not sent; what another kind of event asked for neither. */
export function eventParameters(
  event: TestedEvent,
  values: Readonly<Partial<Record<EventField, string>>>,
): Record<string, string> {
  const told = EVENT_FIELDS[event].flatMap((name) => {
    const value = values[name]?.trim() ?? ''
    return value === '' ? [] : [[name, value] as const]
  })
  return { event, ...Object.fromEntries(told) }
}
