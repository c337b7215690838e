// Handlers that show what partners are owed.
import type { Calls } from '@tributary/contract/calls/registry'
import type { CurrencyReference } from '@tributary/contract/currency-reference'
import { divideHalfUp, formatMoney } from '@tributary/contract/money'
import { addDays, weekOf } from '@tributary/contract/period'
import { sql } from 'kysely'
import { entityNamed, readRowId } from '../entities/engine/model/model.ts'
import type { Db } from '../entities/engine/model/request-context.ts'
import { readEntity } from '../entities/engine/store.ts'
import { selectCurrencies } from '../money/movements.ts'
import { AGES, type Age, type PartnerFigures, readFigures, readPartnerLedger } from '../money/partner-ledger.ts'
import { readToday } from '../money/preview.ts'
import { readRates } from '../money/read-drafts.ts'
import type { Handler } from './handler.ts'

const partnerEntity = entityNamed('partner')

async function readCurrencies(db: Db, ids: readonly number[]): Promise<CurrencyReference[]> {
  const { rows } =
    await sql<CurrencyReference>`select id, title, value from currency where id = any(${ids}::int[]) order by title`.execute(
      db,
    )
  return rows
}

async function readCurrency(db: Db, id: number): Promise<CurrencyReference> {
  const [found] = await readCurrencies(db, [id])
  return found ?? { id, title: '', value: '' }
}

export const readLedger: Handler<Calls['partner_ledger']> = async ({ context, params, query }) => {
  const { postgres, clickhouse } = context.engines
  const { db } = postgres
  const row = await readEntity(context, partnerEntity, readRowId(params.id), { detailed: false })
  const partner = { id: Number(row.id), title: String(row.title) }
  const today = await readToday(db)
  const { rows } = await sql<{ currency_id: number }>`${selectCurrencies([partner.id], today.slice(0, 7))}`.execute(db)
  const currency = await readCurrency(db, rows[0]?.currency_id ?? 0)
  const { months, balance, missingRates } = await readPartnerLedger(db, clickhouse, {
    partner: partner.id,
    from: query.from ?? '0001-01',
    to: query.to ?? '9999-12',
    today,
  })
  const ids = [...new Set(months.map((month) => month.currency))]
  const titles = new Map((await readCurrencies(db, ids)).map((one) => [one.id, one]))
  return {
    partner,
    months: months.map(({ month, currency: own, opening, sums, balance: after, isOpen, expected }) => ({
      month,
      currency: titles.get(own) ?? { id: own, title: '', value: '' },
      opening: formatMoney(opening),
      earned: formatMoney(sums.earned),
      adjustments: formatMoney(sums.adjustments),
      write_offs: formatMoney(sums.write_offs),
      tax: formatMoney(sums.tax),
      paid: formatMoney(sums.paid),
      balance: formatMoney(after),
      on_hold: formatMoney(sums.on_hold),
      not_resolved: formatMoney(sums.not_resolved),
      invoiced: formatMoney(sums.invoiced),
      provisional: isOpen,
      expected: expected === null ? null : formatMoney(expected),
    })),
    balance: formatMoney(balance),
    currency,
    missing_rates: await readCurrencies(db, missingRates),
  }
}

export const readFinanceOverview: Handler<Calls['finance_overview']> = async ({ context }) => {
  const { db } = context.engines.postgres
  const today = await readToday(db)
  const { rows: partners } = await sql<{ id: number; title: string; currency: number }>`
    select p.id, p.title, c.currency_id as currency from partner p join lateral (${selectCurrencies(
      await readVisible(db, context.partners),
      today.slice(0, 7),
    )}) c on c.partner_id = p.id`.execute(db)
  const weekEnds = addDays(weekOf(today), 6)
  const { figures, missingRates } = await readFigures(db, partners, today, weekEnds)
  const { rows: settings } = await sql<{ id: number }>`
    select coalesce((select report_currency_id from setting), (select id from currency where value = 'EUR' or title = 'EUR' order by id limit 1))
      as id`.execute(db)
  const total = await readCurrency(db, settings[0]?.id ?? 0)
  const month = today.slice(0, 7)
  const ids = new Set([total.id, ...figures.map(({ currency }) => currency)])
  const rate = await readRates(
    db,
    [...ids].map((currency_id) => ({ currency_id, month })),
  )
  const unknown = new Set(missingRates)
  const inTotal = (amount: bigint, from: number): bigint => {
    if (from === total.id) return amount
    const [top, bottom] = [rate(from, month), rate(total.id, month)]
    if (top === undefined) unknown.add(from)
    if (bottom === undefined) unknown.add(total.id)
    return top === undefined || bottom === undefined || bottom === 0n
      ? 0n
      : (divideHalfUp(amount * top, bottom * 100n) ?? 0n) * 100n
  }
  const titles = new Map((await readCurrencies(db, [...ids])).map((currency) => [currency.id, currency]))
  const names = new Map(partners.map(({ id, title }) => [id, title]))
  const rows = figures
    .map((one) => ({ one, owedTotal: inTotal(one.balance, one.currency) }))
    .sort((a, b) => Number(b.owedTotal - a.owedTotal))
    .map(({ one, owedTotal }) => ({
      partner: { id: one.partner, title: names.get(one.partner) ?? '' },
      currency: titles.get(one.currency) ?? { id: one.currency, title: '', value: '' },
      ...answerFigures([one], (amount) => amount),
      owed_total: formatMoney(owedTotal),
      disputed: one.disputed,
    }))
  return {
    today,
    week_ends: weekEnds,
    rows,
    total: { currency: total, ...answerFigures(figures, inTotal) },
    missing_rates: await readCurrencies(db, [...unknown]),
  }
}

async function readVisible(db: Db, partners: readonly number[] | null): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select id from partner where ${partners}::int[] is null or id = any(${partners}::int[])`.execute(db)
  return rows.map(({ id }) => id)
}

/** Sums of figures, each converted first. */
function answerFigures(figures: readonly PartnerFigures[], convert: (amount: bigint, currency: number) => bigint) {
  const sum = (of: (one: PartnerFigures) => bigint): string =>
    formatMoney(figures.reduce((total, one) => total + convert(of(one), one.currency), 0n))
  const ageing = Object.fromEntries(AGES.map((age) => [age, sum((one) => one.ageing[age])])) as Record<Age, string>
  return {
    owed: sum(({ balance }) => balance),
    on_hold: sum((one) => one.sums.on_hold),
    not_resolved: sum((one) => one.sums.not_resolved),
    due_this_week: sum((one) => one.dueThisWeek),
    in_dispute: sum((one) => one.inDispute),
    paid_this_month: sum((one) => one.paidThisMonth),
    ageing,
  }
}
