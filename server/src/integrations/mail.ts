// Sends mails by the operator's mail server, or writes them into files if none is configured. Jobs retry after a failure.

import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createTransport, type Transporter } from 'nodemailer'
import type { Config } from '../config.ts'
import { createSlot } from '../lib/slot.ts'

export interface Mail {
  readonly to: string | readonly string[]
  readonly subject: string
  /** Plain text, which every mail program shows and which cannot contain markup. */
  readonly text: string
  readonly attachments?: readonly MailAttachment[]
}

export interface MailAttachment {
  readonly filename: string
  readonly contentType: string
  readonly content: Buffer | Readable
}

export interface Mailer {
  /** Rejects if the mail server does not accept it. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** The mail module fills the slot; `mailer.of(services)` reads it. */
export const mailer = createSlot<Mailer>('mailer')

const SENDER_NAME = 'Tributary'
const CONNECT_MS = 10_000
const ANSWER_MS = 60_000

export function createMailer({ smtpUrl, mailFrom, dataDir }: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>): Mailer {
  const from = { name: SENDER_NAME, address: mailFrom }
  return smtpUrl === undefined ? mailToFiles(from, join(dataDir, 'mail')) : mailBySmtp(from, smtpUrl)
}

interface Sender {
  name: string
  address: string
}

/** Builds a new message, because nodemailer changes its argument and would read files and URLs from other fields. */
const compose = (from: Sender, mail: Mail) => ({
  from,
  to: [mail.to].flat(),
  subject: mail.subject,
  text: mail.text,
  attachments: (mail.attachments ?? []).map(({ filename, contentType, content }) => ({
    filename,
    contentType,
    content,
  })),
  disableFileAccess: true,
  disableUrlAccess: true,
})

function mailBySmtp(from: Sender, url: string): Mailer {
  const transport: Transporter = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
  })
  return {
    async send(mail) {
      await transport.sendMail(compose(from, mail))
    },
    close: () => transport.close(),
  }
}

/** Writes each mail as an .eml that only its owner can read, because it may contain a link that opens an account. */
function mailToFiles(from: Sender, directory: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(compose(from, mail))
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}.eml`
      await writeFile(join(directory, name), message, { mode: 0o600, flag: 'wx' })
    },
    close: () => undefined,
  }
}
