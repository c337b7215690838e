// The preview of a month's invoices: what is payable, what waits and why, what blocks, and a digest by which a creation finds changes.
import { createHash } from 'node:crypto'
import {
  BLOCKERS,
  type Blocker,
  type BlockerCode,
  type InvoiceFilter,
  type PreviewAnswer,
} from '@tributary/contract/calls/payment-invoice'
import type { CurrencyReference } from '@tributary/contract/currency-reference'
import type { Language } from '@tributary/contract/language'
import { formatMoney } from '@tributary/contract/money'
import { dayOf, isMonth, lastDayOf } from '@tributary/contract/period'
import { say } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import { type Db, type RequestContext, readBusinessZone } from '../entities/engine/model/request-context.ts'
import { rejectEarlyMonth } from '../entities/rules/earliest-month.ts'
import { invalidField } from '../lib/app-error.ts'
import type { CandidateScope } from './candidates.ts'
import type { DraftLine, Grain } from './compute-statement.ts'
import { readProvisional } from './provisional.ts'
import { addToPurse, type Purse, partsOf, purseOf, unratedPurse } from './purse.ts'
import { rateText } from './rate.ts'
import { type GrainSums, grainOf, type StatementDraft } from './read-drafts.ts'
import { type ResultingDraft, readResultingDrafts } from './resulting-drafts.ts'

type Reference = { id: number; title: string }

/** Throws `invalid` unless the period is one whole month that has begun, and not one long before the network. */
async function monthOf(db: Db, { date_from, date_to }: Pick<InvoiceFilter, 'date_from' | 'date_to'>): Promise<string> {
  const month = date_from.slice(0, 7)
  if (!isMonth(month)) throw invalidField('filter.date_from', 'date_invalid')
  if (date_from !== `${month}-01`) throw invalidField('filter.date_from', 'whole_month')
  if (date_to !== lastDayOf(month)) throw invalidField('filter.date_to', 'whole_month')
  if (month > (await readToday(db)).slice(0, 7)) throw invalidField('filter.date_from', 'month_future')
  await rejectEarlyMonth(db, month, 'filter.date_from')
  return month
}

export const readToday = async (db: Db): Promise<string> => dayOf(Date.now(), await readBusinessZone(db))

/** The partners and partner offers of a filter, within the caller's rows. With open months, it holds what a close would book now. */
export async function scopeOfFilter(
  db: Db,
  context: RequestContext,
  filter: InvoiceFilter,
  { withOpenMonths }: { readonly withOpenMonths: boolean },
): Promise<CandidateScope> {
  const month = await monthOf(db, filter)
  const { advertisers, paymentModels, geoCountry, trafficSources, streams, siteId } = filter
  const isNarrow = [advertisers, paymentModels, geoCountry, trafficSources, streams, siteId].some(
    (values) => values !== undefined && values.length > 0,
  )
  const among = (column: string, values: readonly (number | string)[] | undefined, type: string) =>
    values === undefined || values.length === 0 ? sql`true` : sql`${sql.ref(column)} = any(${values}::${sql.raw(type)})`
  const { rows: links } = isNarrow
    ? await sql<{ id: number; partner_id: number }>`
      select l.id, l.partner_id from offer_partner l join offer o on o.id = l.offer_id
        left join advertiser_country c on c.id = o.advertiser_country_id
      where ${among('o.advertiser_id', advertisers, 'int[]')} and ${among('o.payment_model_id', paymentModels, 'int[]')}
        and ${among('c.country_id', geoCountry, 'int[]')} and ${among('l.traffic_source_id', trafficSources, 'int[]')}
        and ${among('l.stream_id', streams, 'int[]')} and ${among('l.site_id', siteId, 'text[]')}`.execute(db)
    : { rows: [] }
  const { rows } = await sql<{ id: number; is_listed: boolean }>`
    select p.id, exists (select from ledger_entry e where e.partner_id = p.id and e.booked_month <= ${month})
        or exists (select from adjustment a where a.partner_id = p.id and a.month <= ${month})
        or p.id = any(${filter.partners ?? []}::int[]) as is_listed
    from partner p
    where (${context.partners}::int[] is null or p.id = any(${context.partners}::int[]))
      and ${among('p.id', filter.partners, 'int[]')}
      and ${
        filter.partnerGroups === undefined || filter.partnerGroups.length === 0
          ? sql`true`
          : sql`exists (select from partner_partner_group g where g.partner_id = p.id and g.active
              and g.partner_group_id = any(${filter.partnerGroups}::int[]))`
      }
      and (not ${isNarrow} or p.id = any(${links.map((link) => link.partner_id)}::int[]))
    order by p.id`.execute(db)
  const ids = rows.map(({ id }) => id)
  const provisional = withOpenMonths ? await readProvisional(db, context.engines.clickhouse, month, ids) : null
  const expected = new Set(provisional?.map(({ key }) => key.partner))
  return {
    partners: rows.flatMap(({ id, is_listed }) => (is_listed || expected.has(id) ? [id] : [])),
    month,
    offerPartners: isNarrow ? links.map(({ id }) => id) : null,
    today: await readToday(db),
    rewritten: [],
    provisional,
  }
}

const lineKey = (grain: Grain | null): string => (grain === null ? '' : JSON.stringify(grainOf(grain)))

interface Titles {
  of(table: string, id: number | null): Reference | null
  currency(id: number): CurrencyReference
}

async function readTitles(db: Db, ids: Readonly<Record<string, ReadonlySet<number>>>): Promise<Titles> {
  const found = new Map<string, Reference>()
  for (const [table, wanted] of Object.entries(ids)) {
    if (wanted.size === 0) continue
    const { rows } =
      await sql<Reference>`select id, title from ${sql.id(table)} where id = any(${[...wanted]}::int[])`.execute(db)
    for (const row of rows) found.set(`${table} ${row.id}`, row)
  }
  const { rows: currencies } = await sql<CurrencyReference>`select id, title, value from currency`.execute(db)
  const currencyOf = new Map(currencies.map((currency) => [currency.id, currency]))
  return {
    of: (table, id) => (id === null ? null : (found.get(`${table} ${id}`) ?? { id, title: `#${id}` })),
    currency: (id) => currencyOf.get(id) ?? { id, title: `#${id}`, value: `#${id}` },
  }
}

const TABLES = {
  country_id: 'country',
  advertiser_id: 'advertiser',
  traffic_source_id: 'traffic_source',
  stream_id: 'partner_stream',
} as const

export interface Preview {
  readonly answer: PreviewAnswer
  readonly drafts: readonly ResultingDraft[]
  /** Of the answer's blockers, in their order. */
  readonly causes: readonly BlockerCause[]
}

/** A blocker as the issue of a refusal. */
interface BlockerCause {
  readonly code: BlockerCode
  readonly partner: Reference
  readonly values: Readonly<Record<string, string | number>>
}

export const issueOf = ({ code, values }: BlockerCause) => ({ key: `blocker_${code}` as const, values })

/** The partners' first blockers that prevent a draft. */
export const findRefusals = ({ causes }: Preview): readonly BlockerCause[] =>
  causes.filter(({ code }) => BLOCKERS[code] === 'create')

export async function answerPreview(db: Db, scope: CandidateScope, language: Language): Promise<Preview> {
  const drafts = await readResultingDrafts(db, scope)
  const missing = await findMissingProjects(db, drafts)
  const ids: Record<string, Set<number>> = { partner: new Set() }
  for (const table of Object.values(TABLES)) ids[table] = new Set()
  for (const { partner_id, grains, computed } of drafts) {
    ids.partner?.add(partner_id)
    for (const { grain } of [
      ...grains,
      ...computed.lines.flatMap((line) => (line.grain ? [{ grain: line.grain }] : [])),
    ])
      for (const [column, table] of Object.entries(TABLES) as [keyof Grain, string][])
        if (grain[column] !== null) ids[table]?.add(grain[column])
  }
  const titles = await readTitles(db, ids)
  const rows = drafts.flatMap((draft) => rowsOf(draft, titles)).sort(byPayable)
  const causes = drafts.flatMap((draft): BlockerCause[] => {
    const partner = titles.of('partner', draft.partner_id) ?? { id: draft.partner_id, title: '' }
    const common = { month: scope.month, partner: partner.title }
    const projects = missing.get(draft.partner_id) ?? []
    return [
      ...draft.blockers.map(({ code, other }) => ({
        code,
        partner,
        values: { ...common, ...(other !== null && { number: other.id, month: other.month }) },
      })),
      ...projects.map((values) => ({
        code: 'crm_project_missing' as const,
        partner,
        values: { ...common, ...values },
      })),
    ]
  })
  const blockers = causes.map((cause) => toBlocker(cause, language))
  const total = [false, true].flatMap((provisional) =>
    totalsOf(
      drafts.filter(({ isProvisional }) => isProvisional === provisional),
      titles,
    ).map((one) => ({ ...one, provisional })),
  )
  const additions = drafts.flatMap(({ existing, partner_id, currency_id, computed }) => {
    if (existing === null) return []
    return [
      {
        partner: titles.of('partner', partner_id) ?? { id: partner_id, title: '' },
        statement: existing.id,
        currency: titles.currency(currency_id),
        before: formatMoney(existing.total),
        added: formatMoney(computed.total - existing.total),
        after: formatMoney(computed.total),
      },
    ]
  })
  const answer = { rows, total, additions, blockers }
  return { answer: { ...answer, digest: digestOf(scope, answer, drafts) }, drafts, causes }
}

/** Rows with something payable first. */
const byPayable = (one: PreviewAnswer['rows'][number], other: PreviewAnswer['rows'][number]): number =>
  Number(isPayable(other)) - Number(isPayable(one))

const isPayable = ({ payable, payable_unrated }: PreviewAnswer['rows'][number]): boolean =>
  Number(payable) !== 0 || payable_unrated.length > 0

function totalsOf(drafts: readonly StatementDraft[], titles: Titles) {
  const totals = Map.groupBy(drafts, ({ currency_id }) => currency_id)
  return [...totals].map(([id, own]) => ({
    currency: titles.currency(id),
    amount: formatMoney(own.reduce((sum, { computed }) => sum + computed.total, 0n)),
    unrated: toUnrated(unratedOf(own.flatMap(({ computed }) => computed.lines)), titles),
  }))
}

/** Of what drafts can be made of. Open months stay out: their figures move with every report. */
function digestOf(
  scope: CandidateScope,
  { rows, total, blockers }: Omit<PreviewAnswer, 'digest'>,
  drafts: readonly StatementDraft[],
): string {
  const closed = drafts.filter(({ isProvisional }) => !isProvisional)
  const ids = new Set(closed.map(({ partner_id }) => partner_id))
  const content = [
    scope.month,
    scope.offerPartners,
    rows.filter(({ provisional }) => !provisional),
    total.filter(({ provisional }) => !provisional),
    blockers.flatMap(({ code, partner }) => (partner !== null && ids.has(partner.id) ? [[code, partner.id]] : [])),
    closed.map(({ partner_id, fingerprint }) => [partner_id, fingerprint]),
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

function rowsOf(draft: ResultingDraft, titles: Titles): PreviewAnswer['rows'] {
  const { partner_id, currency_id, computed, grains, isProvisional, existing, addition } = draft
  const invoicedWith = new Map(addition.grains.map((sums) => [lineKey(sums.grain), sums.already_invoiced]))
  const linesOf = Map.groupBy(computed.lines, ({ grain }) => lineKey(grain))
  const none = { country_id: null, advertiser_id: null, traffic_source_id: null, stream_id: null }
  const sumsOf = new Map<string, GrainSums>(grains.map((sums) => [lineKey(sums.grain), sums]))
  const keys = [...new Set([...sumsOf.keys(), ...linesOf.keys()])]
  return keys.map((key) => {
    const lines = linesOf.get(key) ?? []
    const sums = sumsOf.get(key)
    const grain: Grain = sums?.grain ?? lines[0]?.grain ?? none
    // What stands on the draft is no longer counted as invoiced.
    const onDraft = existing === null ? 0n : (invoicedWith.get(key) ?? 0n) - (sums?.already_invoiced ?? 0n)
    const show = (amount: bigint | undefined) => formatMoney(amount ?? 0n)
    return {
      grain: {
        partner: titles.of('partner', partner_id) ?? { id: partner_id, title: '' },
        country: titles.of('country', grain.country_id),
        advertiser: titles.of('advertiser', grain.advertiser_id),
        traffic_source: titles.of('traffic_source', grain.traffic_source_id),
        stream: titles.of('partner_stream', grain.stream_id),
      },
      currency: titles.currency(currency_id),
      entries: lines.map((line) => toEntry(line, titles)),
      on_hold: show(sums?.on_hold.own),
      on_hold_unrated: toUnrated(sums?.on_hold, titles),
      not_resolved: show(sums?.not_resolved.own),
      not_resolved_unrated: toUnrated(sums?.not_resolved, titles),
      already_invoiced: show(sums?.already_invoiced),
      on_draft: show(onDraft),
      payable: show(lines.reduce((sum, { total }) => sum + total, 0n)),
      payable_unrated: toUnrated(unratedOf(lines), titles),
      provisional: isProvisional,
    }
  })
}

const unratedOf = (lines: readonly DraftLine[]): Purse =>
  lines
    .filter(({ isUnrated }) => isUnrated)
    .reduce((sum, { currency_id, amount }) => addToPurse(sum, unratedPurse(currency_id, amount)), purseOf(0n))

const toUnrated = (purse: Purse | undefined, titles: Titles) =>
  partsOf(purse ?? purseOf(0n)).map(({ currency, amount }) => ({
    currency: titles.currency(currency),
    amount: formatMoney(amount),
  }))

const toEntry = (line: DraftLine, titles: Titles) => ({
  kind: line.kind,
  earned_month: line.earned_month,
  quantity: line.quantity,
  rate: line.rate === null ? null : formatMoney(line.rate),
  base: line.base === null ? null : formatMoney(line.base),
  amount: formatMoney(line.amount),
  currency: titles.currency(line.currency_id),
  fx_rate: line.isUnrated ? null : rateText(line.fx_rate),
  total: line.isUnrated ? null : formatMoney(line.total),
})

const LINKS: Readonly<Record<BlockerCode, (cause: BlockerCause) => string>> = {
  month_not_over: () => '/period-closes',
  month_open: ({ values }) => `/period-closes?month=${values.month}`,
  rate_missing: () => '/currencies',
  billing_missing: ({ partner }) => `/partners/${partner.id}/edit`,
  legal_name_missing: ({ partner }) => `/partners/${partner.id}/edit`,
  statement_approved: ({ partner }) => `/statements?filter[partner]=${partner.id}`,
  earlier_draft: ({ values }) => `/statements?filter[id]=${values.number}`,
  later_statement: ({ values }) => `/statements?filter[id]=${values.number}`,
  below_minimum: ({ partner }) => `/partners/${partner.id}/edit`,
  crm_project_missing: ({ values }) => `/advertisers/${values.id}/edit`,
}

function toBlocker(cause: BlockerCause, language: Language): Blocker {
  const { code, partner, values } = cause
  return {
    code,
    blocks: BLOCKERS[code],
    message: say(language, `blocker_${code}`, values),
    link: LINKS[code](cause),
    partner,
  }
}

/** Advertisers and countries of the payable grains that name no project of the CRM, by partner. */
async function findMissingProjects(
  db: Db,
  drafts: readonly StatementDraft[],
): Promise<Map<number, { id: number; advertiser: string; country: string }[]>> {
  const pairs = drafts.flatMap(({ partner_id, computed }) =>
    computed.lines.flatMap(({ grain }) => (grain === null ? [] : [{ partner_id, ...grain }])),
  )
  const { rows } = await sql<{ partner_id: number; id: number; advertiser: string; country: string }>`
    select distinct g.partner_id, a.id, a.title as advertiser, coalesce(c.title, '') as country
    from unnest(${pairs.map((p) => p.partner_id)}::int[], ${pairs.map((p) => p.advertiser_id)}::int[], ${pairs.map((p) => p.country_id)}::int[])
      as g (partner_id, advertiser_id, country_id)
      join advertiser a on a.id = g.advertiser_id left join country c on c.id = g.country_id
    where a.default_crm_project_id is null and not exists (select from advertiser_country o where o.advertiser_id = a.id
      and o.country_id = g.country_id and o.crm_project_id is not null)
    order by 1, 3, 4`.execute(db)
  return Map.groupBy(rows, ({ partner_id }) => partner_id)
}
