// Where the product's mails arrive: a mail server beside it, which lays each one down as a file for the tests to open.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface MailBox {
  readonly url: string
  readonly directory: string
  stop(): Promise<void>
}

interface KeptMail {
  to: string
  text: string
}

export async function startMailBox(): Promise<MailBox> {
  const directory = await mkdtemp(join(tmpdir(), 'tributary-mail-'))
  let count = 0
  const keep = async (raw: Buffer, done: () => void): Promise<void> => {
    const { to, text } = await PostalMime.parse(raw)
    const mail: KeptMail = { to: to?.[0]?.address ?? '', text: text ?? '' }
    count += 1
    await writeFile(join(directory, `${String(count).padStart(4, '0')}.json`), JSON.stringify(mail))
    done()
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => void keep(Buffer.concat(parts), done))
    },
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    directory,
    async stop() {
      await new Promise<void>((resolve) => {
        server.close(resolve)
      })
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The newest mail to the address, when there are as many as asked for. */
export async function readMail(address: string, count = 1): Promise<string> {
  const directory = process.env.E2E_MAIL_DIR ?? ''
  let found: KeptMail[] = []
  await expect
    .poll(async () => {
      const names = (await readdir(directory)).sort((a, b) => a.localeCompare(b))
      const mails = await Promise.all(
        names.map(async (name) => JSON.parse(await readFile(join(directory, name), 'utf8'))),
      )
      found = (mails as KeptMail[]).filter(({ to }) => to === address)
      return found.length
    })
    .toBeGreaterThanOrEqual(count)
  return found.at(-1)?.text ?? ''
}
