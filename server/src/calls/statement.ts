// Handlers that make statements and change their states, reverse payments, return documents and verify files.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Calls } from '@tributary/contract/calls/registry'
import { formatMoney } from '@tributary/contract/money'
import { sql } from 'kysely'
import { entityNamed, type Row, readRowId } from '../entities/engine/model/model.ts'
import { type Db, type RequestContext, readBusinessZone } from '../entities/engine/model/request-context.ts'
import { changeSelected, toBulkAnswer } from '../entities/engine/save/bulk.ts'
import { withReason } from '../entities/engine/save/cause.ts'
import { createIdempotently } from '../entities/engine/save/idempotency.ts'
import { insertAudited } from '../entities/engine/save/write.ts'
import { changeRecord, readEntity } from '../entities/engine/store.ts'
import { rejectEarlyMonth } from '../entities/rules/earliest-month.ts'
import { dropUpload } from '../entities/upload.ts'
import { AppError } from '../lib/app-error.ts'
import type { SheetCell } from '../lib/sheet.ts'
import { keepDocuments } from '../money/keep-documents.ts'
import { itemsOf, readLineAdjustment, readLineEntries, readSources } from '../money/line-sources.ts'
import { answerPreview, findRefusals, issueOf, readToday } from '../money/preview.ts'
import { readDocument } from '../money/read-document.ts'
import { units } from '../money/read-drafts.ts'
import { STATEMENT_WORDS, showFee } from '../money/statement-document.ts'
import {
  approveStatement,
  checkPayment,
  disputeStatement,
  resolveDispute,
  reversePayment,
  settleStatement,
  voidStatement,
} from '../money/statement-states.ts'
import { lockPartners, writeDraft } from '../money/write-draft.ts'
import type { Handler } from './handler.ts'

const statementEntity = entityNamed('statement')
const lineEntity = entityNamed('payment_invoice_line')
const payment = entityNamed('payment')
const partnerEntity = entityNamed('partner')

const readStatement = (context: RequestContext, id: number): Promise<Row> =>
  readEntity(context, statementEntity, id, { detailed: true })

export const createStatement: Handler<Calls['statement_create']> = async ({ context, body, language }) => {
  const { partner, month, digest } = body
  await readEntity(context, partnerEntity, partner, { detailed: false })
  await rejectEarlyMonth(context.engines.postgres.db, month)
  const id = await changeRecord(context, 'make a statement', async (db) => {
    await lockPartners(db, [partner])
    const today = await readToday(db)
    const scope = { partners: [partner], month, offerPartners: null, today, rewritten: [], provisional: null }
    const preview = await answerPreview(db, scope, language)
    const { answer, drafts } = preview
    if (digest !== undefined && answer.digest !== digest) throw new AppError('preview_stale')
    const [refusal] = findRefusals(preview)
    if (refusal !== undefined) throw new AppError('conflict', { issues: { month: [issueOf(refusal)] } })
    const isEmpty = drafts.every(({ computed }) => computed.lines.length === 0)
    const made = isEmpty ? null : await writeDraft(db, context, { ...scope, partner })
    if (made === null) throw new AppError('conflict', { issues: { month: [{ key: 'nothing_payable' }] } })
    return made
  })
  return readStatement(context, id)
}

export const approveOneStatement: Handler<Calls['statement_approve']> = async (
  { context, params, body },
  { config },
) => {
  const id = readRowId(params.id)
  await changeRecord(context, withReason('approve a statement', body?.reason), (db) =>
    approveStatement(db, context, id, (trx, of) => keepDocuments(trx, [of], config)),
  )
  return readStatement(context, id)
}

/** One transaction a statement, because each renders its documents. */
export const approveSelectedStatements: Handler<Calls['statement_approve_selected']> = async (
  { context, body, language },
  { config },
) => {
  const approve = async (db: Db, id: number): Promise<boolean> => {
    await approveStatement(db, context, id, (trx, of) => keepDocuments(trx, [of], config))
    return true
  }
  const isApproved = sql`t.state in ('approved', 'partly_paid', 'paid')`
  const outcome = await changeSelected(context, statementEntity, body, 'approve a statement', approve, isApproved, 1)
  return toBulkAnswer(outcome, language)
}

export const voidOneStatement: Handler<Calls['statement_void']> = async ({ context, params, body }) => {
  const id = readRowId(params.id)
  await changeRecord(context, 'void a statement', (db) => voidStatement(db, context, id, body.reason))
  return readStatement(context, id)
}

export const disputeOneStatement: Handler<Calls['statement_dispute']> = async ({ context, params, body }) => {
  const id = readRowId(params.id)
  await changeRecord(context, 'dispute a statement', (db) => disputeStatement(db, context, id, body.reason))
  return readStatement(context, id)
}

export const resolveOneStatement: Handler<Calls['statement_resolve']> = async ({ context, params, body }) => {
  const id = readRowId(params.id)
  await changeRecord(context, withReason('resolve a dispute', body?.reason), (db) =>
    resolveDispute(db, context, id, body?.reason || null),
  )
  return readStatement(context, id)
}

/** A part of a statement could be paid twice, so a request whose answer was lost is repeated under its idempotency key. */
export const recordPayment: Handler<Calls['payment_create']> = async ({ context, body, onceKey }) => {
  const { id } = await changeRecord(context, 'record a payment', (db) => {
    const create = async () => {
      const partner = await checkPayment(db, context, body.statement, body)
      const made = await insertAudited(db, context, payment, { ...body, partner, created_by: context.userId })
      await settleStatement(db, context, body.statement)
      return { id: made }
    }
    return onceKey === undefined ? create() : createIdempotently(db, context, payment, body, onceKey, create)
  })
  return readEntity(context, payment, id, { detailed: false })
}

export const reverseOnePayment: Handler<Calls['payment_reverse']> = async ({ context, params, body }) => {
  const id = readRowId(params.id)
  await changeRecord(context, 'reverse a payment', (db) => reversePayment(db, context, id, body.reason))
  return readEntity(context, payment, id, { detailed: false })
}

export const readLineItems: Handler<Calls['payment_invoice_line_items']> = async ({ context, params, language }) => {
  const { id, amount } = await readEntity(context, lineEntity, readRowId(params.id), { detailed: false })
  const { db } = context.engines.postgres
  const line = Number(id)
  const { rows: items } = await itemsOf(line).execute(db)
  const sum = items.reduce((total, item) => total + units(item.amount), 0n)
  return {
    items,
    rounding: formatMoney(items.length === 0 ? 0n : units(String(amount)) - sum),
    adjustment: await readLineAdjustment(context, line),
    entries: await readLineEntries(db, line, language),
    ...(await readSources(context, line, language)),
  }
}

export const sendStatementPdf: Handler<Calls['statement_pdf']> = async (input) => {
  const { context, params, query } = input
  const language = query.language ?? input.language
  const { id } = await readEntity(context, statementEntity, readRowId(params.id), { detailed: false })
  const { rows } = await sql<{ bytes: Buffer; month: string }>`select f.bytes, s.month from statement_pdf f
    join statement s on s.id = f.statement_id where f.statement_id = ${id} and f.language = ${language}`.execute(
    context.engines.postgres.db,
  )
  const [file] = rows
  if (file === undefined) throw new AppError('not_found')
  const name = `${STATEMENT_WORDS[language].title} ${file.month} ${String(id)}.pdf`
  return { bytes: file.bytes, name, type: 'application/pdf' }
}

export const sendStatementSheet: Handler<Calls['statement_xlsx']> = async (input, { config }) => {
  const { context, params, query } = input
  const language = query.language ?? input.language
  const { db } = context.engines.postgres
  const { id, month } = await readEntity(context, statementEntity, readRowId(params.id), { detailed: false })
  const words = STATEMENT_WORDS[language]
  const document = await readDocument(db, Number(id), language, config)
  if (document === undefined) throw new AppError('not_found')
  const { rows: lines } = await sql<{
    id: number
  }>`select id from payment_invoice_line where statement_id = ${id} order by id`.execute(db)
  const text = (header: string) => ({ header, kind: 'text' }) as const
  const number = (header: string) => ({ header, kind: 'number' }) as const
  return {
    format: 'xlsx',
    sheet: {
      title: `${words.title} ${String(id)} ${String(month)}`,
      zone: await readBusinessZone(db),
      columns: [
        number(words.lineNumber),
        text(words.line),
        { header: words.earned, kind: 'month' },
        text(words.player),
        { header: words.day, kind: 'day' },
        number(words.itemQuantity),
        number(words.itemBase),
        number(words.itemAmount),
        number(words.rate),
        text(words.rateUnit),
        number(words.quantity),
        number(words.base),
        number(words.amount),
        text(words.currency),
        number(words.fx),
        number(`${words.total}, ${document.currency}`),
      ],
      total: null,
      batches: (async function* () {
        for (const [index, line] of document.lines.entries()) {
          const head = [
            index + 1,
            [words.kinds[line.kind], line.title, showFee(line, words)].filter(Boolean).join(' · '),
            line.earned_month,
          ]
          const unit = (rate: string | null) => (rate === null ? null : line.kind === 'cpa' ? line.currency : '%')
          const { rows } = await itemsOf(lines[index]?.id ?? 0).execute(db)
          // Items and lines have columns of their own, so that the sum of a column counts each amount once.
          yield rows.map((row): SheetCell[] => [
            ...head,
            row.player,
            row.day,
            row.quantity,
            row.base,
            row.amount,
            row.rate,
            unit(row.rate),
            null,
            null,
            null,
            line.currency,
            null,
            null,
          ])
          const { rate, quantity, base, amount, currency, fx_rate, total } = line
          const own = [rate, unit(rate), quantity, base, amount, currency, fx_rate, total]
          yield [[...head, null, null, null, null, null, ...own]]
        }
      })(),
    },
  }
}

export const verifyFile: Handler<Calls['verify']> = async ({ file }, services) => {
  const sha256 = createHash('sha256')
    .update(await readFile(file.path))
    .digest()
  await dropUpload(services, file.id)
  const { rows } = await services.postgres.pool.query<{
    id: number
    month: string
    state: string
    approved_on: string
  }>(
    `select s.id, s.month, s.state, (s.approved_at at time zone (select business_time_zone from setting))::date::text as approved_on
      from statement_pdf f join statement s on s.id = f.statement_id where f.sha256 = $1`,
    [sha256],
  )
  const [found] = rows
  const verdict = found === undefined ? 'unknown' : found.state === 'void' ? 'superseded' : 'valid'
  return {
    verdict,
    sha256: sha256.toString('hex'),
    number: found?.id ?? null,
    month: found?.month ?? null,
    approved_on: found?.approved_on ?? null,
  }
}
