// Sends mails to a real mail server, or writes files if none is configured.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { createMailer, type Mail } from '../../src/integrations/mail.ts'
import { makeDirectory } from '../support/harness.ts'
import { startMailServer } from '../support/mail-server.ts'

const makeMail = (): Mail => ({
  to: 'anna@tributary.test',
  subject: 'Восстановление доступа',
  text: 'Ссылка: https://x.test/auth/recovery-password/AbC-_9',
  attachments: [
    { filename: 'отчёт.xlsx', contentType: 'application/octet-stream', content: Buffer.from([1, 2, 3]) },
    { filename: 'b.csv', contentType: 'text/csv', content: Readable.from(['a;b\n']) },
  ],
})
const { subject, text } = makeMail()

const seen = async (raw: Awaited<ReturnType<typeof PostalMime.parse>>) => ({
  to: raw.to?.map(({ address }) => address),
  from: raw.from,
  subject: raw.subject,
  text: raw.text?.trim(),
  html: raw.html,
  files: raw.attachments.map(({ filename, content }) => [filename, new Uint8Array(content as ArrayBuffer).length]),
})

const EXPECTED = {
  to: ['anna@tributary.test'],
  from: { name: 'Tributary', address: 'no-reply@x.test' },
  subject,
  text,
  html: undefined,
  files: [
    ['отчёт.xlsx', 3],
    ['b.csv', 4],
  ],
}

test('a mail is sent to SMTP_URL with its attachments; a rejected one fails [AUTH-05] [REP-16]', async () => {
  const post = await startMailServer()
  const mails = createMailer({ smtpUrl: post.url, mailFrom: 'no-reply@x.test', dataDir: makeDirectory() })
  const coming = post.next()
  await mails.send(makeMail())
  expect(await seen(await coming)).toEqual(EXPECTED)
  post.refuse(true)
  await expect(mails.send({ ...makeMail(), attachments: [] })).rejects.toThrow('451')
  mails.close()
  const wrong = createMailer({ smtpUrl: post.url.replace('man@', 'x@'), mailFrom: 'a@x.test', dataDir: '/nowhere' })
  await expect(wrong.send({ ...makeMail(), attachments: [] })).rejects.toThrow()
  wrong.close()
})

test('without a mail server, mails are files that only their owner can read [AUTH-05]', async () => {
  const dataDir = makeDirectory()
  const mails = createMailer({ smtpUrl: undefined, mailFrom: 'no-reply@x.test', dataDir })
  await mails.send(makeMail())
  const [name = ''] = readdirSync(join(dataDir, 'mail'))
  const path = join(dataDir, 'mail', name)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(await seen(await PostalMime.parse(readFileSync(path)))).toEqual({
    ...EXPECTED,
    files: [
      ['отчёт.xlsx', 3],
      ['b.csv', 4],
    ],
  })
})

test('an email address cannot add recipients or headers [AUTH-05]', async () => {
  const post = await startMailServer()
  const mails = createMailer({ smtpUrl: post.url, mailFrom: 'no-reply@x.test', dataDir: makeDirectory() })
  const coming = post.next()
  await mails.send({ to: 'anna@tributary.test', subject: 'Hi\r\nBcc: eve@x.test', text: 'x' })
  const mail = await coming
  expect(mail.bcc).toBeUndefined()
  expect(mail.headers.some(({ key }) => key === 'bcc')).toBe(false)
  mails.close()
})
