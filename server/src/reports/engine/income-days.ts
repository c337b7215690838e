// Decides on which days income is reported. An advertiser has reported every day up to the last one of its player reports; income of later days
// is unknown. The days of a cell are those on which it has clicks or facts of players.
import type { SourceName } from '@tributary/contract/reports/traffic'
import { LAST_DAY } from '../../facts/columns.ts'
import type { IncomeCount } from './components.ts'
import type { Params } from './params.ts'
import type { Selection } from './query.ts'

/** SQL of the last day that the advertiser has reported. A fact without an advertiser awaits no report. */
function lastReportedSql(advertiser: string, { reportedIncome }: Selection, params: Params): string {
  const advertisers = params.bindAs('reporting_advertisers', 'Array(UInt32)', [0, ...reportedIncome.advertisers])
  const days = params.bindAs('reported_days', 'Array(Date)', [LAST_DAY, ...reportedIncome.days])
  return `transform(${advertiser}, ${advertisers}, ${days}, toDate(0))`
}

/** SQL condition: the income of a fact's day is reported. In reports by click, the day is that of the player, not of the click. */
export function isReportedSql(source: SourceName, selection: Selection, params: Params): string {
  const [day, advertiser] =
    source === 'activity' && selection.isByClick ? ['own_day', 'own_advertiser_id'] : ['day', 'advertiser_id']
  return `${day} <= ${lastReportedSql(advertiser, selection, params)}`
}

/** Like `isReportedSql` over month sums, whose rows have facts of several days. */
export function summedIncomeDaysSql(selection: Selection, params: Params): Readonly<Record<IncomeCount, string>> {
  const last = lastReportedSql('advertiser_id', selection, params)
  return {
    reported_facts: `countIf(last_day != toDate(0) and first_day <= ${last})`,
    unreported_facts: `countIf(last_day > ${last})`,
  }
}
