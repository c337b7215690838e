// Columns of the month sums by source. Every component names its columns here, or null if the sums do not carry it.
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

function added<C extends string>(...columns: readonly C[]): Readonly<Record<C, string>> {
  // Object.fromEntries forgets the names of its keys.
  return Object.fromEntries(columns.map((column) => [column, `sum(f.${column})`])) as Record<C, string>
}

/** `keys`: grouping columns beside the month. `sums`: summed columns and their expressions. */
export const SUMMED_SOURCES = {
  click: {
    table: 'click',
    from: 'click as f',
    where: '1',
    keys: [...OFFER_PARTNER_KEYS, 'landing_id'],
    sums: added('is_click', 'is_unique'),
  },
  activity: {
    table: 'activity_fact',
    from: 'activity_fact as f final',
    where: 'f.is_deleted = 0',
    keys: [...OFFER_PARTNER_KEYS, 'landing_id', 'actual_country_id'],
    sums: {
      rows: 'count()',
      ...added('registrations', 'first_deposits', 'qualified_players', 'deposits_count'),
      ...added('deposits', 'first_amount', 'first_day_amount', 'bets', 'income', 'cpa_spend', 'rs_spend'),
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
    sums: { spends: 'countIf(f.sum != 0)', ...added('sum'), rate_missing: 'max(f.rate_missing)' },
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

/** The columns from which a component is added up; null: the sums do not carry it, and facts are read. */
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
