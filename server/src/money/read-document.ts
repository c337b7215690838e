// Reads a statement as its documents show it.

import type { Language } from '@tributary/contract/language'
import { choiceLabel } from '@tributary/contract/words/entity-words'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Db } from '../entities/engine/model/request-context.ts'
import { WORDS } from '../lib/words.ts'
import { maskDetails, openDetails } from './billing-details.ts'
import { explainLines } from './explain-lines.ts'
import type { DocumentLine, StatementDocument } from './statement-document.ts'

interface Head {
  readonly number: number
  readonly month: string
  readonly approved_on: string | null
  readonly due_on: string | null
  readonly partner: string
  readonly legal_name: string | null
  readonly tax_id: string | null
  readonly method: string | null
  readonly currency: string
  readonly total: string
  readonly issuer: string | null
  readonly partner_id: number
  readonly details: Buffer | null
}

/** SQL of the code of a currency, such as EUR; its title if it has none. */
const currencyCode = (alias: string) =>
  sql`coalesce(nullif(${sql.ref(`${alias}.value`)}, ''), ${sql.ref(`${alias}.title`)})`

/** Where files are verified, and what opens payment details. */
export type DocumentConfig = Pick<Config, 'publicUrl' | 'secret'>

/** Undefined if there is no such statement. Lines name partner offers as they were, with the stream that earned them: they may have been renamed or moved since. */
export async function readDocument(
  db: Db,
  id: number,
  language: Language,
  { publicUrl, secret }: DocumentConfig,
): Promise<StatementDocument | undefined> {
  const { rows } = await sql<Head>`
    select s.id as number, s.month, (s.approved_at at time zone (select business_time_zone from setting))::date::text as approved_on,
      s.due_on::text, p.title as partner, b.legal_name, b.tax_id, b.method, ${currencyCode('c')} as currency, s.total,
      (select statement_issuer from setting) as issuer, s.partner_id, b.details
    from statement s join partner p on p.id = s.partner_id join currency c on c.id = s.currency_id
      left join partner_billing b on b.partner_id = p.id
    where s.id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) return undefined
  const { partner_id, details, ...head } = found
  const { rows: stored } = await sql<
    Omit<DocumentLine, 'title'> & { id: number; note: string | null; link: string | null }
  >`
    select l.id, l.kind, l.earned_month, l.quantity, l.rate, l.base, l.amount, ${currencyCode('c')} as currency, l.fx_rate, l.total,
      l.note, l.offer_partner_title as link
    from payment_invoice_line l join currency c on c.id = l.currency_id
    where l.statement_id = ${id} order by l.id`.execute(db)
  const explanations = await explainLines(
    db,
    stored.map((line) => line.id),
    language,
  )
  const lines = stored.map(({ id: line, note, link, ...rest }) => ({
    ...rest,
    title: [explanations.get(line), note, link].filter(Boolean).join(' · '),
  }))
  return {
    ...head,
    approved_on: head.approved_on ?? '',
    due_on: head.due_on,
    method: head.method === null ? '' : choiceLabel(WORDS[language], 'partner_billing', 'method', head.method),
    account: maskDetails(openDetails(secret, partner_id, details)),
    lines,
    verify_url: `${publicUrl}/verify`,
  }
}
