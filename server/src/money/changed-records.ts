// The players and spends behind a cause: what they gave a key when it was booked before, and what they give it now.

import { formatMoney, parseMoney } from '@tributary/contract/money'
import type { Clickhouse } from '../clickhouse/client.ts'
import { isoOf } from '../clickhouse/statement.ts'
import type { LedgerKey } from './ledger-key.ts'

/** Income or entered spend, and what is owed of it; for CPA both are the price. */
interface Figures {
  readonly base: string
  readonly amount: string
}

export interface ChangedRecord {
  readonly entity: 'player' | 'partner_spend'
  readonly id: number
  readonly day: string
  readonly before: Figures
  readonly after: Figures
}

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
  is_deleted: number
  link: number
  income: string
  rs: string
  cpa: string
}

type FindRecords = (
  changed: { readonly key: LedgerKey; readonly since: Date },
  day: string,
  ids: readonly number[],
) => ChangedRecord[]

const NOTHING: Figures = { base: '0.0000', amount: '0.0000' }

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
  select 'activity' as source, player_id as id, toString(day) as on_day, toString(known_at) as at, version, is_deleted, offer_partner_id as link,
    income_original as income, rs_original as rs, cpa_original as cpa
  from activity_fact_log where player_id in {players:Array(UInt32)} and day in {days:Array(Date)} and known_at <= {known:DateTime64(3)}
  union all
  select 'spend', spend_id, toString(day), toString(known_at), version, is_deleted, offer_partner_id, base_original, sum_original, toDecimal64(0, 4)
  from spend_fact_log where spend_id in {spends:Array(UInt32)} and day in {days:Array(Date)} and known_at <= {known:DateTime64(3)}
) order by version`,
    { players: idsOf(false), spends: idsOf(true), days: [...new Set(wanted.map(({ on_day }) => on_day))], known },
    { lane: 'long' },
  )
  const byRecord = Map.groupBy(versions, ({ source, id, on_day }) => `${source} ${id} ${on_day}`)
  return ({ key, since }, day, ids) =>
    ids.map((id): ChangedRecord => {
      const source = key.kind === 'agency' ? 'spend' : 'activity'
      const own = byRecord.get(`${source} ${id} ${day}`) ?? []
      const before = own.findLast(({ at }) => new Date(isoOf(at)).getTime() <= since.getTime())
      return {
        entity: source === 'spend' ? 'partner_spend' : 'player',
        id,
        day,
        before: figuresOf(before, key),
        after: figuresOf(own.at(-1), key),
      }
    })
}

function figuresOf(version: Version | undefined, { kind, offerPartner }: LedgerKey): Figures {
  if (version === undefined || version.is_deleted === 1 || version.link !== offerPartner) return NOTHING
  const show = (amount: string): string => formatMoney(parseMoney(amount) ?? 0n)
  const { cpa, income, rs } = version
  return kind === 'cpa' ? { base: show(cpa), amount: show(cpa) } : { base: show(income), amount: show(rs) }
}
