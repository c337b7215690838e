// What a close would write, and how the month's ledger differs from the report by rounding alone: the report rounds a sum once, the ledger
// rounds CPA per player and the rest once per key.
import type { AnswerOf } from '@tributary/contract/calls/registry'
import type { CurrencyReference } from '@tributary/contract/currency-reference'
import { formatMoney, unitsOf } from '@tributary/contract/money'
import { sql } from 'kysely'
import type { Engines } from '../entities/engine/model/request-context.ts'
import { roundToCents } from './ledger-key.ts'
import { type Provisional, readProvisional } from './provisional.ts'

type ClosePreview = Pick<AnswerOf<'period_close_checklist'>, 'entries' | 'sums' | 'rounding'>

interface ClosePartners {
  /** Those whom a close would take. */
  readonly partners: readonly number[]
  /** With those for whom the month is closed already. */
  readonly everyone: readonly number[]
}

interface Total {
  readonly ledger: bigint
  readonly exact: bigint
}

export async function readClosePreview(
  { postgres: { db }, clickhouse }: Engines,
  month: string,
  { partners, everyone }: ClosePartners,
): Promise<ClosePreview> {
  const fresh = await readProvisional(db, clickhouse, month, partners)
  const totals = new Map<number, Total>()
  const add = (currency: number, ledger: bigint, exact: bigint) => {
    const before = totals.get(currency) ?? { ledger: 0n, exact: 0n }
    totals.set(currency, { ledger: before.ledger + ledger, exact: before.exact + exact })
  }
  for (const one of fresh) add(one.key.currency, one.difference.amount, exactOf(one))
  const written = new Map([...totals].map(([currency, { ledger }]) => [currency, ledger]))
  const { rows: booked } = await sql<{ currency: number; amount: string; exact: string }>`
    select e.currency_id as currency, sum(e.amount) as amount, sum(i.exact) as exact
    from ledger_entry e join lateral (select coalesce(sum(case when e.kind = 'cpa' then quantity * base else amount end), 0) as exact
      from ledger_item where ledger_entry_id = e.id) i on true
    where e.earned_month = ${month} and e.partner_id = any(${everyone}::int[]) group by 1`.execute(db)
  for (const { currency, amount, exact } of booked) add(currency, unitsOf(amount), unitsOf(exact))
  const { rows: currencies } = await sql<CurrencyReference>`select id, title, value from currency
    where id = any(${[...totals.keys()]}::int[]) order by title`.execute(db)
  return {
    entries: fresh.length,
    sums: currencies.flatMap((currency) => {
      const amount = written.get(currency.id)
      return amount === undefined ? [] : [{ currency, amount: formatMoney(amount) }]
    }),
    rounding: currencies.map((currency) => {
      const { ledger = 0n, exact = 0n } = totals.get(currency.id) ?? {}
      const report = roundToCents(exact)
      return {
        currency,
        ledger: formatMoney(ledger),
        report: formatMoney(report),
        difference: formatMoney(ledger - report),
      }
    }),
  }
}

const exactOf = ({ difference: { items } }: Provisional): bigint =>
  items.reduce((sum, { quantity, base, amount }) => sum + (quantity === null ? amount : BigInt(quantity) * base), 0n)
