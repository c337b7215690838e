// Declares the columns of the month sums of each source, and from which of them each component is computed.
import type { COMPONENTS, ComponentName, SourceName } from '@tributary/contract/reports/traffic'

export const SUMS_TABLE = 'link_month'

const OFFER_PARTNER_KEYS = [
  'offer_partner_id',
  'offer_id',
  'partner_id',
  'advertiser_id',
  'stream_id',
  'traffic_source_id',
  'country_id',
  'site_id',
] as const

const CLICK_KEYS = [...OFFER_PARTNER_KEYS, 'landing_id'] as const

function sumColumns<C extends string>(...columns: readonly C[]): Readonly<Record<C, string>> {
  // Object.fromEntries forgets the names of its keys.
  return Object.fromEntries(columns.map((column) => [column, `sum(f.${column})`])) as Record<C, string>
}

/** For each source: `keys` are the grouping columns beside the month, `sums` the summed columns and their SQL. */
export const SUMMED_SOURCES = {
  click: {
    table: 'click',
    // Summed by day first, which the projection of clicks answers.
    from: `(select day, ${CLICK_KEYS.join(', ')}, sum(is_click) as is_click, sum(is_unique) as is_unique from click
      where toYYYYMM(day) = {month:UInt32} group by day, ${CLICK_KEYS.join(', ')}) as f`,
    where: '1',
    keys: CLICK_KEYS,
    sums: {
      ...sumColumns('is_click', 'is_unique'),
      first_day: 'minIf(f.day, f.is_click > 0)',
      last_day: 'maxIf(f.day, f.is_click > 0)',
    },
  },
  activity: {
    table: 'activity_fact',
    from: 'activity_fact as f final',
    where: 'f.is_deleted = 0',
    keys: [...OFFER_PARTNER_KEYS, 'landing_id', 'actual_country_id'],
    sums: {
      rows: 'count()',
      first_day: 'min(f.day)',
      last_day: 'max(f.day)',
      ...sumColumns('registrations', 'first_deposits', 'qualified_players', 'deposits_count'),
      ...sumColumns('deposits', 'first_amount', 'first_day_amount', 'bets', 'income', 'cpa_spend', 'rs_spend'),
      rate_missing: 'max(f.rate_missing)',
      days: 'groupArray(f.previous_day)',
      bet_days: 'groupArrayIf(f.previous_bet_day, f.bets > 0)',
    },
  },
  spend: {
    table: 'spend_fact',
    from: 'spend_fact as f final',
    where: 'f.is_deleted = 0',
    keys: OFFER_PARTNER_KEYS,
    sums: { spends: 'countIf(f.sum != 0)', ...sumColumns('sum'), rate_missing: 'max(f.rate_missing)' },
  },
} as const satisfies Record<
  SourceName,
  {
    readonly table: string
    readonly from: string
    readonly where: string
    readonly keys: readonly string[]
    readonly sums: Readonly<Record<string, string>>
  }
>

type SumsOf<P extends ComponentName> = (typeof SUMMED_SOURCES)[(typeof COMPONENTS)[P]['source']]['sums']

/** The summed columns of each component; null if the sums lack it, so that reports have to read facts. */
export const SUMMED_COLUMNS = {
  clicks: ['is_click'],
  unique_clicks: ['is_unique'],
  registrations: ['registrations'],
  new_deposits: ['first_deposits'],
  deposits_count: ['deposits_count'],
  deposits_amount: ['deposits'],
  first_day_amount: ['first_day_amount'],
  first_amount: ['first_amount'],
  bets: ['bets'],
  bettors: ['bet_days'],
  income: ['income'],
  player_spend: ['cpa_spend', 'rs_spend'],
  entered_spend: ['sum'],
  qualified_players: ['qualified_players'],
  cohort_players: ['registrations'],
  depositors: null,
} as const satisfies { readonly [P in ComponentName]: readonly (keyof SumsOf<P>)[] | null }
