// Reads what a month's statements of some partners would be, all partners at once, and computes each. Writes nothing.
import type { BlockerCode } from '@tributary/contract/calls/payment-invoice'
import type { NegativeRsRule } from '@tributary/contract/entities/partner-billing'
import { divideHalfUp, parseMoney } from '@tributary/contract/money'
import type { StatementLineKind } from '@tributary/contract/statement'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../entities/engine/model/request-context.ts'
import { isNamed } from './billing-details.ts'
import { type CandidateScope, selectCandidates } from './candidates.ts'
import {
  type ComputedStatement,
  computeStatement,
  type FindRate,
  type Grain,
  type LineSource,
  type OpenCarry,
  type StatedKey,
} from './compute-statement.ts'
import { addToPurse, convertAmount, type Purse, purseOf } from './purse.ts'
import { type OtherStatement, selectEarlierDraft, selectLater } from './statement-order.ts'

export interface GrainSums {
  readonly grain: Grain
  /** In the currency of the statement. */
  readonly on_hold: Purse
  readonly not_resolved: Purse
  readonly already_invoiced: bigint
}

export interface DraftBlocker {
  readonly code: BlockerCode
  /** The statement that is in the way. */
  readonly other: OtherStatement | null
}

export interface StatementDraft {
  readonly partner_id: number
  readonly currency_id: number
  readonly computed: ComputedStatement
  readonly grains: readonly GrainSums[]
  readonly blockers: readonly DraftBlocker[]
  /** The month is open: its amounts are what a close would make payable now. */
  readonly isProvisional: boolean
  /** Changes when other rows of the ledger stand behind equal sums. */
  readonly fingerprint: string
}

interface Terms {
  readonly partner_id: number
  readonly has_billing: boolean
  readonly is_named: boolean
  readonly is_closed: boolean
  readonly is_over: boolean
  readonly vat: string
  readonly minimum: string
  readonly negative_rs: NegativeRsRule
  readonly currency_id: number
  readonly stated: 'draft' | 'approved' | null
  readonly earlier_draft: OtherStatement | null
  readonly later: OtherStatement | null
}

/** SQL of the currency in which a partner's statement of a month is made. */
export const statementCurrency = (partner: string, month: string | RawBuilder<unknown>) =>
  sql`coalesce((select h.currency_id from partner_billing_currency h where h.partner_id = ${sql.ref(partner)} and h.month <= ${month}
    order by h.month desc limit 1), (select report_currency_id from setting),
    (select id from currency where value = 'EUR' or title = 'EUR' order by id limit 1))`

async function readTerms(db: Db, { partners, month, today }: CandidateScope): Promise<Terms[]> {
  const { rows } = await sql<Terms>`
    select p.id as partner_id, b.id is not null as has_billing, ${isNamed('b')} as is_named, coalesce(b.vat, 0) as vat, coalesce(b.minimum, 0) as minimum,
      coalesce(b.negative_rs, 'carry') as negative_rs, ${statementCurrency('p.id', month)} as currency_id,
      exists (select from period_close_partner c where c.partner_id = p.id and c.month = ${month} and c.reopened_at is null) as is_closed,
      ${today}::date >= (${`${month}-01`}::date + interval '1 month') as is_over,
      (select case s.state when 'draft' then 'draft' else 'approved' end from statement s
        where s.partner_id = p.id and s.month = ${month} and s.state <> 'void') as stated,
      ${selectEarlierDraft('p.id', month)} as earlier_draft, ${selectLater('p.id', month)} as later
    from partner p left join partner_billing b on b.partner_id = p.id where p.id = any(${partners}::int[]) order by p.id`.execute(
    db,
  )
  return rows
}

interface SumRow extends Grain {
  readonly partner_id: number
  readonly verdict: 'payable' | 'on_hold' | 'not_resolved'
  readonly kind: StatementLineKind
  readonly offer_partner_id: number | null
  readonly earned_month: string
  readonly currency_id: number
  readonly quantity: number | null
  readonly rate: string | null
  readonly base: string | null
  readonly amount: string
  readonly note: string | null
  readonly fingerprint: string
  readonly ledger_item_ids: readonly number[]
  readonly ledger_entry_ids: readonly number[]
  readonly adjustment_ids: readonly number[]
}

/** Candidates grouped as lines: CPA by price and sign, the rest by key and percentage, corrections apart, adjustments singly. Sorted, so that a line keeps its place. */
const LINE_KEY = sql`c.partner_id, c.verdict, c.kind, c.offer_partner_id, c.earned_month, c.currency_id, c.country_id, c.advertiser_id,
  c.traffic_source_id, c.stream_id, c.price, c.rate, c.source, c.quantity < 0, c.adjustment_id, c.note`

/** Without `withIds` the rows name no sources: tens of thousands of players are summed in the database. */
async function readSums(db: Db, scope: CandidateScope, withIds: boolean): Promise<SumRow[]> {
  const idsOf = (column: string) =>
    withIds
      ? sql`coalesce(array_agg(${sql.ref(column)} order by ${sql.ref(column)}) filter (where ${sql.ref(column)} is not null), '{}')`
      : sql`'{}'::int[]`
  const { rows } = await sql<SumRow>`
    select c.partner_id, c.verdict, c.kind, c.offer_partner_id, c.earned_month, c.currency_id, c.country_id, c.advertiser_id,
      c.traffic_source_id, c.stream_id, c.note, sum(c.quantity)::int as quantity, sum(c.base) as base,
      coalesce(c.price, c.rate) as rate, sum(c.amount) as amount,
      sum(coalesce(c.ledger_item_id, c.ledger_entry_id, c.adjustment_id))::text as fingerprint,
      ${idsOf('c.ledger_item_id')} as ledger_item_ids, ${idsOf('c.ledger_entry_id')} as ledger_entry_ids,
      ${idsOf('c.adjustment_id')} as adjustment_ids
    from (${selectCandidates(scope)}) c group by ${LINE_KEY}
    order by c.partner_id, c.offer_partner_id nulls last, c.earned_month, c.kind, c.currency_id, c.price, c.rate, c.source, c.quantity < 0, c.adjustment_id`.execute(
    db,
  )
  return rows
}

/** Rates of the last day of each month: frozen ones, else the latest up to that day. */
export async function readRates(db: Db, pairs: readonly { currency_id: number; month: string }[]): Promise<FindRate> {
  const { rows } = await sql<{ currency_id: number; month: string; rate: string | null }>`
    select k.currency_id, k.month, coalesce(
      (select rate from ledger_rate r where r.month = k.month and r.currency_id = k.currency_id),
      (select 1 from setting where report_currency_id = k.currency_id),
      (select rate from currency_rate r where r.currency_id = k.currency_id
        and r.date < (k.month || '-01')::date + interval '1 month' order by r.date desc limit 1)) as rate
    from unnest(${pairs.map((pair) => pair.currency_id)}::int[], ${pairs.map((pair) => pair.month)}::text[]) as k (currency_id, month)`.execute(
    db,
  )
  const rates = new Map(
    rows.flatMap(({ currency_id, month, rate }) =>
      rate === null ? [] : [[`${currency_id} ${month}`, readRate(rate)] as const],
    ),
  )
  return (currencyId, month) => rates.get(`${currencyId} ${month}`)
}

/** '0.92' → 92000000n. */
function readRate(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * 100_000_000n + BigInt(fraction.slice(0, 8).padEnd(8, '0'))
}

interface StatedRow {
  readonly partner_id: number
  readonly offer_partner_id: number | null
  readonly earned_month: string
  readonly kind: StatementLineKind
  readonly currency_id: number
  /** Of the statements. */
  readonly into_id: number
  readonly amount: string
  readonly total: string
}

/** Sums by key and the statements' currency of live lines, of the partners alone. */
async function readStated(db: Db, { partners, rewritten }: CandidateScope): Promise<StatedRow[]> {
  const { rows } = await sql<StatedRow>`
    select s.partner_id, l.offer_partner_id, l.earned_month, l.kind, l.currency_id, s.currency_id as into_id, sum(l.amount) as amount,
      sum(l.total) as total
    from payment_invoice_line l join statement s on s.id = l.statement_id
    where s.partner_id = any(${partners}::int[]) and l.live and s.id <> all(${rewritten}::int[])
      and l.kind in ('cpa', 'rs', 'agency', 'write_off')
    group by 1, 2, 3, 4, 5, 6`.execute(db)
  return rows
}

/** A draft's own carries are shown, but nothing is made of them: its lines get other ids when it is written again. */
async function readCarries(
  db: Db,
  { partners, month, rewritten }: CandidateScope,
  withDrafts: boolean,
): Promise<(Omit<OpenCarry, 'amount'> & { partner_id: number; amount: string })[]> {
  const { rows } = await sql<Omit<OpenCarry, 'amount'> & { partner_id: number; amount: string }>`
    select s.partner_id, l.id as line_id, l.carries, s.month, -l.amount as amount, l.currency_id
    from payment_invoice_line l join statement s on s.id = l.statement_id
    where s.partner_id = any(${partners}::int[]) and s.month < ${month} and (${withDrafts} or s.state <> 'draft') and l.live and l.carries is not null
      and not exists (select from payment_invoice_line u where u.carried_from_id = l.id and u.live
        and u.statement_id <> all(${rewritten}::int[]))
    order by l.id`.execute(db)
  return rows
}

async function readInvoiced(db: Db, { partners, month, rewritten }: CandidateScope) {
  const { rows } = await sql<Grain & { partner_id: number; total: string }>`
    select s.partner_id, i.country_id, i.advertiser_id, i.traffic_source_id, i.stream_id, sum(l.total) as total
    from payment_invoice_line l join statement s on s.id = l.statement_id join payment_invoice i on i.id = l.payment_invoice_id
    where s.partner_id = any(${partners}::int[]) and s.month = ${month} and l.live and s.id <> all(${rewritten}::int[])
    group by 1, 2, 3, 4, 5`.execute(db)
  return rows
}

/** Throws for texts that no numeric column returns. */
export function units(text: string): bigint {
  const value = parseMoney(text)
  if (value === null) throw new Error(`${text} is no amount`)
  return value
}
const unitsOrNull = (text: string | null): bigint | null => (text === null ? null : units(text))
const grainKey = ({ country_id, advertiser_id, traffic_source_id, stream_id }: Grain): string =>
  [country_id, advertiser_id, traffic_source_id, stream_id].join(' ')

export async function readDrafts(db: Db, scope: CandidateScope, withIds = false): Promise<StatementDraft[]> {
  const terms = await readTerms(db, scope)
  const sums = await readSums(db, scope, withIds)
  const stated = await readStated(db, scope)
  const carries = await readCarries(db, scope, !withIds)
  const invoiced = await readInvoiced(db, scope)
  const pairs = new Map<string, { currency_id: number; month: string }>()
  for (const { partner_id, currency_id } of terms) {
    const months = new Set([
      scope.month,
      ...sums.filter((row) => row.partner_id === partner_id).map((row) => row.earned_month),
    ])
    for (const month of months) pairs.set(`${currency_id} ${month}`, { currency_id, month })
  }
  for (const { currency_id, earned_month: month } of sums) pairs.set(`${currency_id} ${month}`, { currency_id, month })
  const currencyOf = new Map(terms.map((term) => [term.partner_id, term.currency_id]))
  const addPair = (currency_id: number, month: string) => pairs.set(`${currency_id} ${month}`, { currency_id, month })
  for (const { partner_id, currency_id, month } of carries)
    for (const id of [currency_id, currencyOf.get(partner_id) ?? currency_id]) addPair(id, month)
  for (const { partner_id, into_id, earned_month } of stated)
    for (const id of [into_id, currencyOf.get(partner_id) ?? into_id]) addPair(id, earned_month)
  const rate = await readRates(db, [...pairs.values()])
  const sumsOf = Map.groupBy(sums, ({ partner_id }) => partner_id)
  const statedOf = Map.groupBy(stated, ({ partner_id }) => partner_id)
  const carriesOf = Map.groupBy(carries, ({ partner_id }) => partner_id)
  const invoicedOf = Map.groupBy(invoiced, ({ partner_id }) => partner_id)
  return terms.map((term) => {
    const own = sumsOf.get(term.partner_id) ?? []
    const { keyed, statedRs } = sumStated(term.currency_id, statedOf.get(term.partner_id) ?? [], rate)
    const isStated = term.stated === 'approved' || (term.is_closed && term.later !== null)
    const isReady = (term.is_closed || scope.provisional !== null) && !isStated
    const computed = computeStatement({
      month: scope.month,
      currency_id: term.currency_id,
      vat: units(term.vat),
      // What is added to a draft is judged together with it when it is written.
      minimum: term.stated === 'draft' && scope.rewritten.length === 0 ? 0n : units(term.minimum),
      negative_rs: term.negative_rs,
      sources: isReady ? own.filter(({ verdict }) => verdict === 'payable').map(toSource) : [],
      carries: isReady
        ? (carriesOf.get(term.partner_id) ?? []).map((one) => ({ ...one, amount: units(one.amount) }))
        : [],
      stated: (source) =>
        keyed.get(`${source.offer_partner_id} ${source.earned_month} ${source.kind} ${source.currency_id}`) ?? {
          amount: 0n,
          total: 0n,
          foreign: 0n,
        },
      statedRs,
      rate,
    })
    return {
      partner_id: term.partner_id,
      currency_id: term.currency_id,
      computed,
      grains: sumGrains(term, own, invoicedOf.get(term.partner_id) ?? [], rate),
      blockers: findBlockers(term, computed, own.length > 0),
      isProvisional: !term.is_closed,
      fingerprint: own.map(({ fingerprint }) => fingerprint).join(' '),
    }
  })
}

/** What earlier statements hold, by key and by earned month; those of another currency converted into this one. */
function sumStated(currency: number, rows: readonly StatedRow[], rate: FindRate) {
  const keyed = new Map<string, StatedKey>()
  const statedRs = new Map<string, { rs: bigint; writtenOff: bigint }>()
  for (const { offer_partner_id, earned_month, kind, currency_id, into_id, ...row } of rows) {
    const isOwn = into_id === currency
    const key = `${offer_partner_id} ${earned_month} ${kind} ${currency_id}`
    const { amount, total, foreign } = keyed.get(key) ?? { amount: 0n, total: 0n, foreign: 0n }
    keyed.set(key, {
      amount: amount + units(row.amount),
      total: total + (isOwn ? units(row.total) : 0n),
      foreign: foreign + (isOwn ? 0n : units(row.amount)),
    })
    const [top, bottom] = isOwn ? [1n, 1n] : [rate(into_id, earned_month), rate(currency, earned_month)]
    const stated = top && bottom ? (divideHalfUp(units(row.total) * top, bottom * 100n) ?? 0n) * 100n : 0n
    const before = statedRs.get(earned_month) ?? { rs: 0n, writtenOff: 0n }
    if (kind === 'rs') statedRs.set(earned_month, { ...before, rs: before.rs + stated })
    if (kind === 'write_off') statedRs.set(earned_month, { ...before, writtenOff: before.writtenOff + stated })
  }
  return { keyed, statedRs }
}

const toSource = (row: SumRow): LineSource => ({
  kind: row.kind,
  offer_partner_id: row.offer_partner_id,
  grain: row.offer_partner_id === null ? null : grainOf(row),
  earned_month: row.earned_month,
  currency_id: row.currency_id,
  quantity: row.quantity,
  rate: unitsOrNull(row.rate),
  base: unitsOrNull(row.base),
  amount: units(row.amount),
  note: row.note,
  ledger_item_ids: row.ledger_item_ids,
  ledger_entry_ids: row.ledger_entry_ids,
  adjustment_ids: row.adjustment_ids,
})

export const grainOf = ({ country_id, advertiser_id, traffic_source_id, stream_id }: Grain): Grain => ({
  country_id,
  advertiser_id,
  traffic_source_id,
  stream_id,
})

function sumGrains(
  term: Terms,
  rows: readonly SumRow[],
  invoiced: readonly (Grain & { total: string })[],
  rate: FindRate,
): GrainSums[] {
  const found = new Map<string, { grain: Grain; on_hold: Purse; not_resolved: Purse; already_invoiced: bigint }>()
  const at = (grain: Grain) => {
    const key = grainKey(grain)
    const nothing = { on_hold: purseOf(0n), not_resolved: purseOf(0n), already_invoiced: 0n }
    const existing = found.get(key) ?? { grain: grainOf(grain), ...nothing }
    found.set(key, existing)
    return existing
  }
  const own = rows.filter((row) => row.offer_partner_id !== null)
  for (const row of own) at(row)
  const waiting = own.filter((row) => row.verdict !== 'payable')
  const keyOf = (row: SumRow) => `${row.verdict} ${row.currency_id} ${row.earned_month} ${grainKey(row)}`
  for (const same of Map.groupBy(waiting, keyOf).values()) {
    const [row] = same
    if (row === undefined || row.verdict === 'payable') continue
    const amount = same.reduce((sum, one) => sum + units(one.amount), 0n)
    const { currency_id: currency, earned_month: month } = row
    const sums = at(row)
    const converted = convertAmount({ currency, amount, into: term.currency_id, month }, rate)
    sums[row.verdict] = addToPurse(sums[row.verdict], converted)
  }
  for (const row of invoiced) at(row).already_invoiced += units(row.total)
  return [...found.values()]
}

function findBlockers(term: Terms, computed: ComputedStatement, hasNew: boolean): readonly DraftBlocker[] {
  const found: DraftBlocker[] = []
  const add = (code: BlockerCode, other: OtherStatement | null = null) => found.push({ code, other })
  if (!term.is_over) add('month_not_over')
  else if (!term.is_closed) add('month_open')
  if (!term.has_billing) add('billing_missing')
  else if (!term.is_named) add('legal_name_missing')
  if (term.stated === 'approved' && hasNew) add('statement_approved')
  else if (term.later !== null && hasNew) add('later_statement', term.later)
  if (term.earlier_draft !== null && computed.lines.length > 0) add('earlier_draft', term.earlier_draft)
  if (computed.missingRates.length > 0) add('rate_missing')
  if (computed.isBelowMinimum) add('below_minimum')
  return found
}
