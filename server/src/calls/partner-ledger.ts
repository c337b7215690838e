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
import { AGES, type Age, type Amount, type PartnerFigures, readFigures } from '../money/partner-figures.ts'
import { type LedgerMonth, readPartnerLedger } from '../money/partner-ledger.ts'
import { readToday } from '../money/preview.ts'
import { convertAmount, type Purse, partsOf, purseOf, sumPurses } from '../money/purse.ts'
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

interface Titles {
  readonly of: (id: number) => CurrencyReference
  readonly unrated: (purse: Purse) => { currency: CurrencyReference; amount: string }[]
}

async function readAllCurrencies(db: Db): Promise<Titles> {
  const { rows } = await sql<CurrencyReference>`select id, title, value from currency`.execute(db)
  const titles = new Map(rows.map((currency) => [currency.id, currency]))
  const of = (id: number): CurrencyReference => titles.get(id) ?? { id, title: '', value: '' }
  return {
    of,
    unrated: (purse) =>
      partsOf(purse).map(({ currency, amount }) => ({ currency: of(currency), amount: formatMoney(amount) })),
  }
}

export const readLedger: Handler<Calls['partner_ledger']> = async ({ context, params, query }) => {
  const { postgres, clickhouse } = context.engines
  const { db } = postgres
  const row = await readEntity(context, partnerEntity, readRowId(params.id), { detailed: false })
  if (query.from !== undefined && query.to !== undefined && query.from > query.to)
    throw invalidField('to', 'dates_reversed')
  const partner = { id: Number(row.id), title: String(row.title) }
  const today = await readToday(db)
  const { months, balance, currency, missingRates } = await readPartnerLedger(db, clickhouse, {
    partner: partner.id,
    from: query.from ?? '0001-01',
    to: query.to ?? '9999-12',
    today,
  })
  const titles = await readAllCurrencies(db)
  return {
    partner,
    months: months.map((month) => answerMonth(month, titles)),
    balance: formatMoney(balance.own),
    currency: titles.of(currency),
    unrated: titles.unrated(balance),
    missing_rates: await readCurrencies(db, missingRates),
  }
}

function answerMonth({ month, currency, opening, sums, balance, isOpen, expected }: LedgerMonth, titles: Titles) {
  const { earned, adjustments, write_offs, tax, paid, on_hold, not_resolved, invoiced } = sums
  return {
    month,
    currency: titles.of(currency),
    opening: formatMoney(opening.own),
    earned: formatMoney(earned.own),
    adjustments: formatMoney(adjustments.own),
    write_offs: formatMoney(write_offs.own),
    tax: formatMoney(tax.own),
    paid: formatMoney(paid.own),
    balance: formatMoney(balance.own),
    on_hold: formatMoney(on_hold.own),
    not_resolved: formatMoney(not_resolved.own),
    invoiced: formatMoney(invoiced.own),
    provisional: isOpen,
    expected: expected === null ? null : formatMoney(expected.own),
    opening_unrated: titles.unrated(opening),
    earned_unrated: titles.unrated(earned),
    adjustments_unrated: titles.unrated(adjustments),
    write_offs_unrated: titles.unrated(write_offs),
    tax_unrated: titles.unrated(tax),
    paid_unrated: titles.unrated(paid),
    balance_unrated: titles.unrated(balance),
    on_hold_unrated: titles.unrated(on_hold),
    not_resolved_unrated: titles.unrated(not_resolved),
    invoiced_unrated: titles.unrated(invoiced),
    expected_unrated: titles.unrated(expected ?? purseOf(0n)),
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
  const titles = await readAllCurrencies(db)
  const total = titles.of((await readReportCurrency(db)) ?? 0)
  const month = today.slice(0, 7)
  const ids = [...new Set([total.id, ...figures.flatMap(currenciesOf)])]
  const rate = await readRates(
    db,
    ids.map((currency_id) => ({ currency_id, month })),
  )
  const inTotal = ({ parts }: Amount): Purse =>
    sumPurses(
      [...Map.groupBy(parts, ({ currency }) => currency)].map(([currency, own]) => {
        const amount = own.reduce((sum, part) => sum + part.amount, 0n)
        return convertAmount({ currency, amount, into: total.id, month }, rate)
      }),
    )
  const totals = answerFigures(figures, inTotal, titles)
  const names = new Map(partners.map(({ id, title }) => [id, title]))
  const rows = figures
    .map((one) => ({ one, owedTotal: inTotal(one.balance).own }))
    .sort((a, b) => Number(b.owedTotal - a.owedTotal))
    .map(({ one, owedTotal }) => ({
      partner: { id: one.partner, title: names.get(one.partner) ?? '' },
      currency: titles.of(one.currency),
      ...answerFigures([one], ({ own }) => own, titles).figures,
      owed_total: formatMoney(owedTotal),
      disputed: one.disputed,
    }))
  return {
    today,
    week_ends: weekEnds,
    rows,
    total: { currency: total, ...totals.figures },
    rates: (await readCurrencies(db, ids)).flatMap((currency) => {
      const [top, bottom] = [rate(currency.id, month), rate(total.id, month)]
      const shown = top && bottom ? divideHalfUp(top * ONE_RATE, bottom) : null
      return currency.id === total.id || shown === null ? [] : [{ currency, rate: rateText(shown) }]
    }),
    missing_rates: await readCurrencies(db, [...totals.missingRates.union(missingRates)]),
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

const currenciesOf = (one: PartnerFigures): number[] => [
  one.currency,
  ...[one.balance, one.onHold, one.notResolved, one.paidThisMonth, one.dueThisWeek, one.inDispute]
    .concat(AGES.map((age) => one.ageing[age]))
    .flatMap(({ parts }) => parts.map((part) => part.currency)),
]

/** Sums of figures, each converted first. */
function answerFigures(all: readonly PartnerFigures[], convert: (amount: Amount) => Purse, titles: Titles) {
  const sum = (of: (one: PartnerFigures) => Amount): Purse => sumPurses(all.map((one) => convert(of(one))))
  const sums = {
    owed: sum(({ balance }) => balance),
    on_hold: sum(({ onHold }) => onHold),
    not_resolved: sum(({ notResolved }) => notResolved),
    due_this_week: sum(({ dueThisWeek }) => dueThisWeek),
    in_dispute: sum(({ inDispute }) => inDispute),
    paid_this_month: sum(({ paidThisMonth }) => paidThisMonth),
  }
  const ageing = AGES.map((age) => [age, sum((one) => one.ageing[age])] as const)
  const byAge = <Value>(show: (purse: Purse) => Value) =>
    Object.fromEntries(ageing.map(([age, purse]) => [age, show(purse)])) as Record<Age, Value>
  const figures = {
    owed: formatMoney(sums.owed.own),
    on_hold: formatMoney(sums.on_hold.own),
    not_resolved: formatMoney(sums.not_resolved.own),
    due_this_week: formatMoney(sums.due_this_week.own),
    in_dispute: formatMoney(sums.in_dispute.own),
    paid_this_month: formatMoney(sums.paid_this_month.own),
    ageing: byAge(({ own }) => formatMoney(own)),
    owed_unrated: titles.unrated(sums.owed),
    on_hold_unrated: titles.unrated(sums.on_hold),
    not_resolved_unrated: titles.unrated(sums.not_resolved),
    due_this_week_unrated: titles.unrated(sums.due_this_week),
    in_dispute_unrated: titles.unrated(sums.in_dispute),
    paid_this_month_unrated: titles.unrated(sums.paid_this_month),
    ageing_unrated: byAge(titles.unrated),
  }
  const purses = [...Object.values(sums), ...ageing.map(([, purse]) => purse)]
  return { figures, missingRates: sumPurses(purses).missingRates }
}
