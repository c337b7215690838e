// The statements that a creation would leave behind: a draft that exists is written anew with what is added to it.
import { sql } from 'kysely'
import type { Db } from '../entities/engine/model/request-context.ts'
import type { CandidateScope } from './candidates.ts'
import { readDrafts, type StatementDraft, units } from './read-drafts.ts'

interface ExistingDraft {
  readonly id: number
  readonly total: bigint
}

export interface ResultingDraft extends StatementDraft {
  /** The draft that is written anew, as it is; null if a new one is made, or if nothing is added to it. */
  readonly existing: ExistingDraft | null
  /** What is added to the draft, by itself. */
  readonly addition: StatementDraft
}

/** Partners whose draft nothing is added to have no lines. */
export async function readResultingDrafts(db: Db, scope: CandidateScope): Promise<ResultingDraft[]> {
  const additions = await readDrafts(db, scope)
  const changing = additions.flatMap(({ partner_id, computed }) => (computed.lines.length > 0 ? [partner_id] : []))
  const existing = await readExisting(db, changing, scope.month)
  const wholes = new Map<number, StatementDraft>()
  if (existing.size > 0) {
    const rewritten = [...existing.values()].map(({ id }) => id)
    const partners = [...existing.keys()]
    const offerPartners = scope.offerPartners === null ? null : await readOffers(db, scope.offerPartners, rewritten)
    for (const whole of await readDrafts(db, { ...scope, partners, offerPartners, rewritten }))
      wholes.set(whole.partner_id, whole)
  }
  return additions.map((addition) => {
    const { partner_id, fingerprint } = addition
    const whole = wholes.get(partner_id)
    if (whole === undefined) return { ...addition, existing: null, addition }
    const draft = existing.get(partner_id) ?? null
    return { ...whole, fingerprint: `${draft?.id} ${fingerprint} ${whole.fingerprint}`, existing: draft, addition }
  })
}

async function readExisting(db: Db, partners: readonly number[], month: string): Promise<Map<number, ExistingDraft>> {
  const { rows } = await sql<{ id: number; partner_id: number; total: string }>`
    select id, partner_id, total from statement
    where partner_id = any(${partners}::int[]) and month = ${month} and state = 'draft' order by id`.execute(db)
  return new Map(rows.map(({ id, partner_id, total }) => [partner_id, { id, total: units(total) }]))
}

/** The partner offers of the filter, and those that stand on the drafts. */
async function readOffers(db: Db, chosen: readonly number[], drafts: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select l.id from offer_partner l join statement s on s.partner_id = l.partner_id
    where s.id = any(${drafts}::int[]) and (s.offer_partner_ids is null or l.id = any(s.offer_partner_ids))`.execute(db)
  return [...new Set([...chosen, ...rows.map(({ id }) => id)])]
}
