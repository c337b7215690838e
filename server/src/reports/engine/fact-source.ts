// The SQL that follows FROM for each source. In reports by click, a player's days count on the day and under the dimensions of the click that
// the player is attributed to, and players without a click are omitted.
import type { SourceName } from '@tributary/contract/reports/traffic'
import { LAST_DAY } from '../../facts/columns.ts'
import { columnOf, EMPTY_SQL } from '../model/column.ts'
import { knownAtParam, sourceFromSql } from '../model/known.ts'
import { ALL_DAYS, type Params, periodEnds } from './params.ts'
import type { Selection } from './query.ts'

/** SQL after FROM: the facts of a source; in the click variants players get the dimensions of their click. */
export function fromSql(source: SourceName, selection: Selection, params: Params): string {
  return source === 'activity' && selection.isByClick
    ? byClickSql(selection, params)
    : sourceFromSql(source, selection, params)
}

const FROM_PLAYER = [
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
  'cpa_original',
  'cpa_currency_id',
  'income_original',
  'income_currency_id',
  'rs_rate',
  'rate_missing',
  'registered_day',
  'first_deposit_day',
  'qualification',
  'outer_id',
  'click_id',
] as const

const FROM_CLICK = [
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

const NO_CLICK_SQL = EMPTY_SQL.UUID
/** All days of a player move to the click's day. Only the row without a previous day still counts the player; the others get the last date. */
const LAST_DAY_SQL = `toDate('${LAST_DAY}')`
const previousDaySql = (column: string): string =>
  `if(a.${column} = toDate(0), toDate(0), ${LAST_DAY_SQL}) as ${column}`

/** The scope applies to both player and click: a player who moved to another partner is visible only to viewers who see both partners. */
function byClickSql(selection: Selection, params: Params): string {
  const scope =
    selection.partners === null
      ? ''
      : ` and partner_id in ${params.bindAs('scope', 'Array(UInt32)', selection.partners)}`
  const days = periodEnds(selection, params).map((ends) => `day between ${ends}`)
  // Player days of any date count, because the periods of the report select clicks.
  const players = sourceFromSql('activity', { ...selection, first: ALL_DAYS, second: null }, params)
  const known = selection.knownAt === null ? '' : ` and created_at <= ${knownAtParam(selection.knownAt, params)}`
  const columns = [
    ...FROM_PLAYER.map((column) => `a.${column} as ${column}`),
    ...FROM_CLICK.map((column) => `k.${column} as ${column}`),
    'k.country as actual_country_id',
    'a.day as own_day',
    'a.advertiser_id as own_advertiser_id',
    previousDaySql('previous_day'),
    previousDaySql('previous_bet_day'),
    'toUInt8(0) as is_deleted',
  ]
  return `(
select ${columns.join(', ')}
from (select * from ${players} where is_deleted = 0 and click_id != ${NO_CLICK_SQL}${scope}) as a
inner join (
select id, ${FROM_CLICK.join(', ')}, ${columnOf('actual_country').sql.click} as country
from click
where (${days.join(' or ')})${scope}${known} and id in (select click_id from activity_fact where click_id != ${NO_CLICK_SQL})
) as k on a.click_id = k.id
)`
}
