// Handlers that show what partners are owed.
import type { Calls } from '@tributary/contract/calls/registry'
import type { CurrencyReference } from '@tributary/contract/currency-reference'
import { divideHalfUp, formatMoney } from '@tributary/contract/money'
import { addDays, weekOf } from '@tributary/contract/period'
import { sql } from 'kysely'
import { entityNamed, readRowId } from '../entities/engine/model/model.ts'
import type { Db } from '../entities/engine/model/request-context.ts'
import { readEntity } from '../entities/engine/store.ts'
import { readReportCurrency } from '../entities/rules/finance.ts'
import { invalidField } from '../lib/app-error.ts'
import type { Part } from '../money/movements.ts'
import {
  AGES,
  type Age,
  type Amount,
  type PartnerFigures,
  readFigures,
  readPartnerLedger,
} from '../money/partner-ledger.ts'
import { readToday } from '../money/preview.ts'
import { ONE_RATE, rateText } from '../money/rate.ts'
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
  if (query.from !== undefined && query.to !== undefined && query.from > query.to)
    throw invalidField('to', 'dates_reversed')
  const partner = { id: Number(row.id), title: String(row.title) }
  const today = await readToday(db)
  const { months, balance, currency, unrated, missingRates } = await readPartnerLedger(db, clickhouse, {
    partner: partner.id,
    from: query.from ?? '0001-01',
    to: query.to ?? '9999-12',
    today,
  })
  const ids = [...new Set([...months, ...unrated].map((one) => one.currency))]
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
    currency: await readCurrency(db, currency),
    unrated: answerParts(unrated, titles),
    missing_rates: await readCurrencies(db, missingRates),
  }
}

export const readFinanceOverview: Handler<Calls['finance_overview']> = async ({ context }) => {
  const { db } = context.engines.postgres
  const today = await readToday(db)
  const partners = await readVisible(db, context.partners)
  const weekEnds = addDays(weekOf(today), 6)
  const { figures, missingRates } = await readFigures(
    db,
    partners.map(({ id }) => id),
    today,
    weekEnds,
  )
  const total = await readCurrency(db, (await readReportCurrency(db)) ?? 0)
  const month = today.slice(0, 7)
  const ids = new Set([total.id, ...figures.flatMap(currenciesOf)])
  const rate = await readRates(
    db,
    [...ids].map((currency_id) => ({ currency_id, month })),
  )
  const unknown = new Set(missingRates)
  const convert = (amount: bigint, from: number): bigint => {
    if (from === total.id || amount === 0n) return amount
    const [top, bottom] = [rate(from, month), rate(total.id, month)]
    if (top === undefined) unknown.add(from)
    if (bottom === undefined) unknown.add(total.id)
    return top === undefined || bottom === undefined || bottom === 0n
      ? 0n
      : (divideHalfUp(amount * top, bottom * 100n) ?? 0n) * 100n
  }
  const inTotal = ({ parts }: Amount): bigint =>
    [...Map.groupBy(parts, ({ currency }) => currency)].reduce(
      (sum, [currency, own]) =>
        sum +
        convert(
          own.reduce((part, { amount }) => part + amount, 0n),
          currency,
        ),
      0n,
    )
  const titles = new Map((await readCurrencies(db, [...ids])).map((currency) => [currency.id, currency]))
  const names = new Map(partners.map(({ id, title }) => [id, title]))
  const rows = figures
    .map((one) => ({ one, owedTotal: inTotal(one.balance) }))
    .sort((a, b) => Number(b.owedTotal - a.owedTotal))
    .map(({ one, owedTotal }) => ({
      partner: { id: one.partner, title: names.get(one.partner) ?? '' },
      currency: titles.get(one.currency) ?? { id: one.currency, title: '', value: '' },
      ...answerFigures([one], ({ own }) => own),
      owed_unrated: answerParts(one.unrated, titles),
      owed_total: formatMoney(owedTotal),
      disputed: one.disputed,
    }))
  return {
    today,
    week_ends: weekEnds,
    rows,
    total: { currency: total, ...answerFigures(figures, inTotal) },
    rates: [...titles.values()].flatMap((currency) => {
      const [top, bottom] = [rate(currency.id, month), rate(total.id, month)]
      const shown = top && bottom ? divideHalfUp(top * ONE_RATE, bottom) : null
      return currency.id === total.id || shown === null ? [] : [{ currency, rate: rateText(shown) }]
    }),
    missing_rates: await readCurrencies(db, [...unknown]),
  }
}

async function readVisible(db: Db, partners: readonly number[] | null): Promise<{ id: number; title: string }[]> {
  const { rows } = await sql<{
    id: number
    title: string
  }>`select id, title from partner where ${partners}::int[] is null or id = any(${partners}::int[]) order by id`.execute(
    db,
  )
  return rows
}

const answerParts = (parts: readonly Part[], titles: ReadonlyMap<number, CurrencyReference>) =>
  parts.map(({ currency: id, amount }) => ({
    currency: titles.get(id) ?? { id, title: '', value: '' },
    amount: formatMoney(amount),
  }))

const currenciesOf = ({ currency, balance, onHold, notResolved, paidThisMonth }: PartnerFigures): number[] => [
  currency,
  ...[balance, onHold, notResolved, paidThisMonth].flatMap(({ parts }) => parts.map((part) => part.currency)),
]

/** Sums of figures, each converted first. */
function answerFigures(figures: readonly PartnerFigures[], convert: (amount: Amount) => bigint) {
  const sum = (of: (one: PartnerFigures) => Amount): string =>
    formatMoney(figures.reduce((total, one) => total + convert(of(one)), 0n))
  const ageing = Object.fromEntries(AGES.map((age) => [age, sum((one) => one.ageing[age])])) as Record<Age, string>
  return {
    owed: sum(({ balance }) => balance),
    on_hold: sum(({ onHold }) => onHold),
    not_resolved: sum(({ notResolved }) => notResolved),
    due_this_week: sum(({ dueThisWeek }) => dueThisWeek),
    in_dispute: sum(({ inDispute }) => inDispute),
    paid_this_month: sum(({ paidThisMonth }) => paidThisMonth),
    ageing,
  }
}
