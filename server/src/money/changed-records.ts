// The players and spends behind a cause: what they gave a key before it changed them, and what they gave it afterwards.

import type { ChangedRecord, OwedFigures } from '@tributary/contract/entities/ledger-entry'
import { formatMoney, parseMoney } from '@tributary/contract/money'
import type { Clickhouse } from '../clickhouse/client.ts'
import { isoOf } from '../clickhouse/statement.ts'
import type { LedgerKey } from './ledger-key.ts'

interface WantedRecord {
  readonly id: number
  readonly on_day: string
  readonly key: Pick<LedgerKey, 'kind'>
}

interface Version {
  source: 'activity' | 'spend'
  id: number
  on_day: string
  at: string
  cause: string
  user: number
  /** 1: it counts for its partner offer. */
  counts: number
  link: number
  cpa_currency: number
  /** Of the income or the spend. */
  currency: number
  income: string
  rs: string
  cpa: string
  percentage: string
}

interface CauseOfDay {
  readonly on_day: string
  readonly cause: string
  readonly user: number
  readonly ids: readonly number[]
}

type FindRecords = (changed: { readonly key: LedgerKey; readonly since: Date }, of: CauseOfDay) => ChangedRecord[]

const NOTHING: OwedFigures = { base: '0.0000', amount: '0.0000' }

/** `known`: the moment until which versions count. */
export async function readChangedRecords(
  clickhouse: Clickhouse,
  wanted: readonly WantedRecord[],
  known: string,
): Promise<FindRecords> {
  if (wanted.length === 0) return () => []
  const idsOf = (isSpend: boolean) => [
    ...new Set(wanted.filter(({ key }) => (key.kind === 'agency') === isSpend).map(({ id }) => id)),
  ]
  const versions = await clickhouse.query<Version>(
    `select * from (
  select 'activity' as source, player_id as id, toString(day) as on_day, toString(known_at) as at, toString(cause) as cause, actor_id as user, version, is_deleted = 0 as counts,
    offer_partner_id as link, cpa_currency_id as cpa_currency, income_currency_id as currency, income_original as income, rs_original as rs,
    cpa_original as cpa, rs_rate as percentage
  from activity_fact_log where player_id in {players:Array(UInt32)} and day in {days:Array(Date)} and known_at <= {known:DateTime64(3)}
  union all
  select 'spend', spend_id, toString(day), toString(known_at), toString(cause), actor_id, version, is_deleted = 0 and is_agency = 1, offer_partner_id, 0, currency_id,
    base_original, sum_original, toDecimal64(0, 4), agency_rate
  from spend_fact_log where spend_id in {spends:Array(UInt32)} and known_at <= {known:DateTime64(3)}
) order by version`,
    { players: idsOf(false), spends: idsOf(true), days: [...new Set(wanted.map(({ on_day }) => on_day))], known },
    { lane: 'long' },
  )
  // A player has a version for each day; a spend has one, and may move to another day or be deleted.
  const nameOf = ({ source, id }: Pick<Version, 'source' | 'id'>, day: string): string =>
    source === 'spend' ? `${source} ${id}` : `${source} ${id} ${day}`
  const byRecord = Map.groupBy(versions, (version) => nameOf(version, version.on_day))
  return ({ key, since }, { on_day: day, cause, user, ids }) =>
    ids.map((id): ChangedRecord => {
      const source = key.kind === 'agency' ? 'spend' : 'activity'
      const own = byRecord.get(nameOf({ source, id }, day)) ?? []
      const isCaused = (version: Version): boolean =>
        version.cause === cause && version.user === user && new Date(isoOf(version.at)).getTime() > since.getTime()
      const first = own.findIndex(isCaused)
      const before = own[first === -1 ? own.length - 1 : first - 1]
      const after = own.findLast(isCaused) ?? before
      return {
        entity: source === 'spend' ? 'partner_spend' : 'player',
        id,
        day,
        before: figuresOf(before, key, day),
        after: figuresOf(after, key, day),
      }
    })
}

function figuresOf(
  version: Version | undefined,
  { kind, offerPartner, currency }: LedgerKey,
  day: string,
): OwedFigures {
  const isOfKey =
    version?.counts === 1 &&
    version.on_day === day &&
    version.link === offerPartner &&
    (kind === 'cpa' ? version.cpa_currency : version.currency) === currency
  if (!isOfKey) return NOTHING
  const show = (amount: string): string => formatMoney(parseMoney(amount) ?? 0n)
  const { cpa, income, rs, percentage } = version
  return kind === 'cpa'
    ? { base: show(cpa), amount: show(cpa) }
    : { base: show(income), amount: show(rs), percentage: show(percentage) }
}
