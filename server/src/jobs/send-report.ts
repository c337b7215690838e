// Mails a saved report to one person. It may run twice: a delivery that was sent is not sent again; a final failure is stored with its reason.
import type { Language } from '@tributary/contract/language'
import { formatDay } from '@tributary/contract/period'
import type { SavedReportState } from '@tributary/contract/reports/saved'
import { z } from 'zod'
import { loadRecipient, type Recipient } from '../access/recipient.ts'
import { type Mailer, mailer } from '../integrations/mail.ts'
import { AppError, textOf } from '../lib/app-error.ts'
import type { SheetFormat } from '../lib/sheet.ts'
import type { Postgres } from '../postgres/client.ts'
import { type MadeReport, makeReport } from '../reports/saved/make-report.ts'
import type { Services } from '../services.ts'
import { defineJob } from './registry.ts'

const TIMEOUT_SECONDS = 900

export const sendReport = defineJob({
  name: 'send-report',
  isSending: true,
  schema: z.strictObject({ delivery: z.int().positive(), format: z.enum(['xlsx', 'csv']) }),
  retry: { limit: 3, delaySeconds: 60, backoff: true, maxDelaySeconds: 900 },
  timeoutSeconds: TIMEOUT_SECONDS,
  async handle({ delivery, format }, { services, signal, isLastAttempt }) {
    try {
      await deliver(delivery, format, services, signal)
    } catch (error) {
      const isFinal = isLastAttempt || (error instanceof AppError && error.code === 'too_large')
      await note(services.postgres, delivery, isFinal ? 'failed' : 'waiting', { error: textOf(error) })
      if (!isFinal || !(error instanceof AppError)) throw error
    }
  },
})

interface DeliveryRow {
  status: string
  user_id: number
  schedule_id: number | null
  report: string | null
  title: string
  state: SavedReportState | null
}

async function deliver(id: number, format: SheetFormat, services: Services, signal: AbortSignal): Promise<void> {
  const { postgres, config } = services
  const { rows } = await postgres.pool.query<DeliveryRow>(
    `update report_delivery d set status = 'sending' from report_delivery o left join saved_report r
        on r.id = o.saved_report_id and (r.user_id = o.user_id or r.shared)
      where d.id = $1 and o.id = d.id and o.status <> 'sent'
      returning o.status, o.user_id, o.schedule_id, r.report, coalesce(r.title, o.title) as title, r.state`,
    [id],
  )
  const [row] = rows
  if (row === undefined) return
  if (row.report === null || row.state === null) return note(postgres, id, 'skipped', { error: 'deleted' })
  const recipient = await loadRecipient(postgres, row.user_id)
  if (recipient === undefined) return end(postgres, id, row, 'disabled')
  const saved = { report: row.report, title: row.title, state: row.state, format }
  const made = await makeReport(saved, recipient, services, signal).catch((error: unknown) => {
    // Like the screen: hidden fields are left out, and a report that the person may not see is not sent.
    if (error instanceof AppError && error.code === 'forbidden') return null
    throw error
  })
  if (made === null) return end(postgres, id, row, 'forbidden')
  await mail(mailer.of(services), recipient, row.title, made, config.publicUrl)
  await note(postgres, id, 'sent', { rows: made.rows, bytes: made.content.length })
}

/** Ends the schedule and stores the reason. */
async function end(postgres: Postgres, id: number, { schedule_id }: DeliveryRow, reason: string): Promise<void> {
  await note(postgres, id, 'skipped', { error: reason })
  await postgres.pool.query(
    'update report_schedule set ended_at = now(), end_reason = $2 where id = $1 and ended_at is null',
    [schedule_id, reason],
  )
}

async function note(
  { pool }: Postgres,
  id: number,
  status: string,
  { error = null, rows = null, bytes = null }: { error?: string | null; rows?: number | null; bytes?: number | null },
): Promise<void> {
  await pool.query(
    `update report_delivery set status = $2, error = $3, rows = $4, bytes = $5,
      finished_at = case when $2 = 'waiting' then null else now() end where id = $1 and status <> 'sent'`,
    [id, status, error, rows, bytes],
  )
}

interface Letter {
  readonly title: string
  readonly days: string
  readonly rows: number
  readonly notes: readonly string[]
  readonly url: string
}

const LETTERS: Readonly<Record<Language, (letter: Letter) => { subject: string; text: readonly string[] }>> = {
  en: ({ title, days, rows, notes, url }) => ({
    subject: `Report “${title}”, ${days}`,
    text: [
      `The report “${title}” for ${days} is attached (rows: ${rows}).`,
      ...notes,
      `It shows what you may see today. To change or stop these mails, open the report and choose “Saved reports”:\n${url}`,
    ],
  }),
  ru: ({ title, days, rows, notes, url }) => ({
    subject: `Отчёт «${title}», ${days}`,
    text: [
      `Отчёт «${title}» за ${days} — во вложении (строк: ${rows}).`,
      ...notes,
      `В нём то, что вам доступно на сегодня. Изменить или остановить рассылку можно в самом отчёте, в меню «Сохранённые отчёты»:\n${url}`,
    ],
  }),
}

function mail(
  mails: Mailer,
  recipient: Recipient,
  title: string,
  { fileName, contentType, content, rows, period, notes, address }: MadeReport,
  publicUrl: string,
): Promise<void> {
  const { from, to } = period
  const days = from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`
  const { subject, text } = LETTERS[recipient.language]({
    title: title.replace(/[\r\n]+/g, ' '),
    days,
    rows,
    notes,
    url: `${publicUrl}${address}`,
  })
  return mails.send({
    to: recipient.email,
    subject,
    text: `${text.join('\n\n')}\n`,
    attachments: [{ filename: fileName, contentType, content }],
  })
}
