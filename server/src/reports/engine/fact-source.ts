// What stands after FROM for each source. By click, a player's days stand on the day and under the dimensions of the click that brought the player;
// players without a click are omitted.
import type { SourceName } from '@tributary/contract/reports/traffic'
import { LAST_DAY } from '../../facts/columns.ts'
import { columnOf, EMPTY } from '../model/column.ts'
import { knownParam, sourceFrom } from '../model/known.ts'
import { EVER, type Params, periodEnds } from './params.ts'
import type { Selection } from './query.ts'

export function fromSql(source: SourceName, selection: Selection, params: Params): string {
  return source === 'activity' && selection.isByClick
    ? broughtSql(selection, params)
    : sourceFrom(source, selection, params)
}

const OF_PLAYER = [
  'player_id',
  'registrations',
  'first_deposits',
  'qualified_players',
  'deposits_count',
  'deposits',
  'first_amount',
  'first_day_amount',
  'bets',
  'income',
  'cpa_spend',
  'rs_spend',
  'rate_missing',
  'registered_day',
  'first_deposit_day',
  'qualification',
  'outer_id',
  'click_id',
] as const

const OF_CLICK = [
  'day',
  'offer_partner_id',
  'offer_id',
  'partner_id',
  'advertiser_id',
  'landing_id',
  'stream_id',
  'traffic_source_id',
  'country_id',
  'site_id',
  'sub_id',
  'promocode',
  'media_id',
] as const

const NOBODY = EMPTY.UUID
/** All days of a player move to one day: their first, which has none before it, counts the player. */
const NEVER = `toDate('${LAST_DAY}')`
const before = (column: string): string => `if(a.${column} = toDate(0), toDate(0), ${NEVER}) as ${column}`

/** Scope holds for both player and click: a player who moved to another partner is visible only to whoever sees both partners. */
function broughtSql(selection: Selection, params: Params): string {
  const scope =
    selection.partners === null
      ? ''
      : ` and partner_id in ${params.named('scope', 'Array(UInt32)', selection.partners)}`
  const days = periodEnds(selection, params).map((ends) => `day between ${ends}`)
  // Days of any date: the periods of the report mean clicks.
  const players = sourceFrom('activity', { ...selection, first: EVER, second: null }, params)
  const known = selection.knownAt === null ? '' : ` and created_at <= ${knownParam(selection.knownAt, params)}`
  const columns = [
    ...OF_PLAYER.map((column) => `a.${column} as ${column}`),
    ...OF_CLICK.map((column) => `k.${column} as ${column}`),
    'k.country as actual_country_id',
    before('previous_day'),
    before('previous_bet_day'),
    'toUInt8(0) as is_deleted',
  ]
  return `(
select ${columns.join(', ')}
from (select * from ${players} where is_deleted = 0 and click_id != ${NOBODY}${scope}) as a
inner join (
select id, ${OF_CLICK.join(', ')}, ${columnOf('actual_country').sql.click} as country
from click
where (${days.join(' or ')})${scope}${known} and id in (select click_id from activity_fact where click_id != ${NOBODY})
) as k on a.click_id = k.id
)`
}
