// Where the facts of a source are read. Counted by click, a player's days stand on the day and under the dimensions of the click that
// brought the player; players whom no click brought are not among them.
import type { SourceName } from '@tributary/contract/reports/traffic'
import { LAST_DAY } from '../../facts/columns.ts'
import { columnOf, EMPTY } from '../model/column.ts'
import { knownParam, sourceFrom } from '../model/known.ts'
import type { Params } from './params.ts'
import { EVER, periodEnds } from './periods.ts'
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
/** All days of a player stand on one: the first of them, which has none before it, counts the player. */
const NEVER = `toDate('${LAST_DAY}')`
const before = (column: string): string => `if(a.${column} = toDate(0), toDate(0), ${NEVER}) as ${column}`

/** Within scope are days of one's own players under one's own clicks: a player given to another partner is neither's. */
function broughtSql(selection: Selection, params: Params): string {
  const scope =
    selection.partners === null
      ? ''
      : ` and partner_id in ${params.named('scope', 'Array(UInt32)', selection.partners)}`
  const days = periodEnds(selection, params).map((ends) => `day between ${ends}`)
  // Whatever the day on which it happened: the days of the report are those of clicks.
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
