// What a statement's line is made of: items of the ledger, an adjustment, or lines of its statement and of earlier ones.
import type { AnswerOf } from '@tributary/contract/calls/registry'
import type { Language } from '@tributary/contract/language'
import {
  type CarryReason,
  correctionCauseOf,
  correctionCausesOf,
  type StatementLineKind,
} from '@tributary/contract/statement'
import { type RawBuilder, sql } from 'kysely'
import { entityNamed } from '../entities/engine/model/model.ts'
import type { Db, RequestContext } from '../entities/engine/model/request-context.ts'
import { readEntity } from '../entities/engine/store.ts'
import { carryReasonOf, explainLines } from './explain-lines.ts'
import { STATEMENT_WORDS } from './statement-document.ts'

const statementEntity = entityNamed('statement')
const adjustmentEntity = entityNamed('adjustment')

type LineAnswer = AnswerOf<'payment_invoice_line_items'>

interface ItemRow {
  readonly day: string | null
  readonly player: string | null
  readonly quantity: number | null
  readonly base: string | null
  readonly rate: string | null
  readonly amount: string
}

/** SQL of the items of a line: CPA by player; revenue share and agency spend by day, never by player. */
export const itemsOf = (line: number): RawBuilder<ItemRow> => sql<ItemRow>`
  select i.day::text, p.outer_id as player, i.quantity::int, i.base, i.rate, i.amount
  from statement_item s join ledger_item i on i.id = s.ledger_item_id left join player p on p.id = i.player_id
  where s.payment_invoice_line_id = ${line}
  union all
  select i.day::text, null, null, sum(i.base), i.rate, sum(i.amount)
  from statement_item s join ledger_item i on i.ledger_entry_id = s.ledger_entry_id and (s.rate is null or s.rate = i.rate)
  where s.payment_invoice_line_id = ${line} group by i.day, i.rate
  union all
  select null, null, null, null, null, a.amount from statement_item s join adjustment a on a.id = s.adjustment_id
  where s.payment_invoice_line_id = ${line}
  union all
  select null, null, null, base, rate, amount from payment_invoice_line where id = ${line} and kind = 'tax'
  order by 1, 2`

/** The entries behind a line. Their causes are told without names and reasons, because partners read them. */
export async function readLineEntries(db: Db, line: number, language: Language): Promise<LineAnswer['entries']> {
  const { rows } = await sql<{
    id: number
    source: LineAnswer['entries'][number]['source']
    booked_month: string
    known_at: Date
    causes: readonly { readonly cause: string; readonly at: string }[] | null
    quantity: number
  }>`
    select e.id, e.source, e.booked_month::text, e.known_at, e.causes,
      (select coalesce(sign(quantity), 0)::int from payment_invoice_line where id = ${line}) as quantity
    from ledger_entry e
    where e.id in (select coalesce(i.ledger_entry_id, p.ledger_entry_id) from statement_item i
      left join ledger_item p on p.id = i.ledger_item_id where i.payment_invoice_line_id = ${line})
    order by e.id desc`.execute(db)
  return rows.map(({ causes, known_at, quantity, ...entry }) => {
    const [only, ...others] = correctionCausesOf(
      (causes ?? []).map(({ cause }) => cause),
      quantity,
    )
    const told = (causes ?? []).map(({ cause: stored, at }) => {
      const cause = others.length === 0 && only !== undefined ? only : correctionCauseOf(stored)
      return { cause, text: STATEMENT_WORDS[language].correctionCauses[cause], at }
    })
    const kinds = Map.groupBy(told, ({ cause }) => cause)
    return {
      ...entry,
      known_at: known_at.toISOString(),
      causes: [...kinds.values()].flatMap((same) => same.slice(0, 1)),
    }
  })
}

/** The adjustment behind a line, without what the caller may not see; null for lines of other kinds. */
export async function readLineAdjustment(context: RequestContext, line: number): Promise<LineAnswer['adjustment']> {
  const { rows } = await sql<{ id: number }>`select adjustment_id as id from statement_item
    where payment_invoice_line_id = ${line} and adjustment_id is not null`.execute(context.engines.postgres.db)
  const [found] = rows
  if (found === undefined) return null
  const row = await readEntity(context, adjustmentEntity, found.id, { detailed: false })
  // The entity declares these fields; hidden ones are absent.
  const { created_at, created_by, ...given } = row as unknown as Omit<
    NonNullable<LineAnswer['adjustment']>,
    'created_at'
  > & {
    created_at: Date | string
  }
  return {
    id: given.id,
    kind: given.kind,
    note: given.note,
    reason: given.reason,
    created_at: new Date(created_at).toISOString(),
    created_by: created_by && { id: created_by.id, title: created_by.title },
  }
}

interface LineRow {
  readonly kind: StatementLineKind
  readonly statement: number
  readonly partner: number
  readonly month: string
  readonly earned_month: string | null
}

/** Lines of statements that the caller does not see are left out. */
export async function readSources(
  context: RequestContext,
  id: number,
  language: Language,
): Promise<Pick<LineAnswer, 'carry' | 'sources'>> {
  const { db } = context.engines.postgres
  const isSeen = context.scopeOf(statementEntity, 's') ?? sql`true`
  const { rows } = await sql<LineRow>`
    select l.kind, s.id as statement, s.partner_id as partner, s.month::text, l.earned_month::text
    from payment_invoice_line l join statement s on s.id = l.statement_id where l.id = ${id}`.execute(db)
  const [line] = rows
  const found = { db, isSeen, language }
  if (line?.kind === 'carry_over') return readCarrySources(found, id)
  if (line?.kind === 'write_off') return { carry: null, sources: await listSources(found, writtenOff(id, line), true) }
  if (line?.kind !== 'tax') return { carry: null, sources: [] }
  return { carry: null, sources: await listSources(found, sql`s.id = ${line.statement} and l.kind <> 'tax'`, false) }
}

interface Reading {
  readonly db: Db
  /** SQL: the caller sees statement `s`. */
  readonly isSeen: RawBuilder<unknown>
  readonly language: Language
}

/** SQL: the revenue share of the month on this and earlier statements, and what was written off before. */
const writtenOff = (id: number, { statement, partner, month, earned_month }: LineRow): RawBuilder<unknown> =>
  sql`s.partner_id = ${partner} and l.earned_month = ${earned_month} and l.kind in ('rs', 'write_off') and l.id <> ${id}
    and (s.id = ${statement} or (l.live and s.month < ${month}))`

interface CarryRow {
  readonly line: number
  readonly carries: 'rs' | 'total'
  readonly reason: CarryReason
  readonly from_id: number
  readonly from_month: string
  readonly to_id: number | null
  readonly to_month: string | null
  readonly is_from_seen: boolean
  readonly is_to_seen: boolean | null
}

/** Both lines of a carried pair open the lines of the statement that carries. */
async function readCarrySources(reading: Reading, id: number): Promise<Pick<LineAnswer, 'carry' | 'sources'>> {
  const { db, isSeen } = reading
  const seen = (statement: string) => sql`(select ${isSeen} from statement s where s.id = ${sql.ref(statement)})`
  const { rows } = await sql<CarryRow>`
    select c.id as line, c.carries, ${carryReasonOf('c')} as reason, f.id as from_id, f.month::text as from_month, t.id as to_id,
      t.month::text as to_month, ${seen('f.id')} as is_from_seen, ${seen('t.id')} as is_to_seen
    from payment_invoice_line l join payment_invoice_line c on c.id = coalesce(l.carried_from_id, l.id)
      join statement f on f.id = c.statement_id
      left join payment_invoice_line u on u.carried_from_id = c.id and (u.id = l.id or (l.id = c.id and u.live))
      left join statement t on t.id = u.statement_id
    where l.id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) return { carry: null, sources: [] }
  const { line, carries, reason, from_id, from_month, to_id, to_month } = row
  const carry = {
    reason,
    from: row.is_from_seen ? { id: from_id, month: from_month } : null,
    to: to_id !== null && to_month !== null && row.is_to_seen === true ? { id: to_id, month: to_month } : null,
  }
  const isRs = sql`(l.kind in ('rs', 'write_off')
    or exists (select from payment_invoice_line o where o.id = l.carried_from_id and o.carries = 'rs'))`
  const isPart = carries === 'rs' ? isRs : sql`l.id <> ${line} and l.kind <> 'tax'`
  return { carry, sources: await listSources(reading, sql`s.id = ${from_id} and ${isPart}`, carries === 'rs') }
}

interface SourceRow {
  readonly statement: number
  readonly month: string
  readonly kind: StatementLineKind
  /** A carried line stands alone. */
  readonly line: number | null
  readonly link: number | null
  readonly title: string | null
  readonly earned_month: string | null
  readonly amount: string
  readonly currency: LineAnswer['sources'][number]['currency']
}

/** Sums of lines `l` of statements `s`: by kind, and `byLink` also by partner offer and earned month. */
async function listSources(
  { db, isSeen, language }: Reading,
  condition: RawBuilder<unknown>,
  byLink: boolean,
): Promise<LineAnswer['sources']> {
  const [link, stream, earned, title] = byLink
    ? [sql`l.offer_partner_id`, sql`i.stream_id`, sql`l.earned_month::text`, sql`min(l.offer_partner_title)`]
    : [sql`null::int`, sql`null::int`, sql`null::text`, sql`null::text`]
  const { rows } = await sql<SourceRow>`
    select p.statement, p.month, p.kind, p.line, p.link, p.title, p.earned_month, p.amount,
      json_build_object('id', c.id, 'title', c.title, 'value', c.value) as currency
    from (select s.id as statement, s.month::text as month, l.kind, case when l.kind = 'carry_over' then l.id end as line, ${link} as link,
        ${stream} as stream, ${earned} as earned_month, s.currency_id, ${title} as title, sum(l.total) as amount, min(l.id) as position
      from payment_invoice_line l join statement s on s.id = l.statement_id left join payment_invoice i on i.id = l.payment_invoice_id
      where ${condition} and ${isSeen} group by 1, 2, 3, 4, 5, 6, 7, 8) as p
      join currency c on c.id = p.currency_id
    order by p.month, p.statement, p.position`.execute(db)
  const explanations = await explainLines(
    db,
    rows.flatMap(({ line }) => line ?? []),
    language,
  )
  return rows.map(({ statement, month, kind, line, link: offerPartner, title, earned_month, amount, currency }) => ({
    statement: { id: statement, month },
    kind,
    explanation: (line === null ? undefined : explanations.get(line)) ?? null,
    offer_partner: offerPartner === null ? null : { id: offerPartner, title: title ?? '' },
    earned_month,
    amount,
    currency,
  }))
}
