// A mail server beside the product that stores each mail as a file for the tests.
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
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
    const file = join(directory, `${String(count).padStart(4, '0')}.json`)
    // Renamed when complete, so that readers never see a partial file.
    await writeFile(`${file}.part`, JSON.stringify(mail))
    await rename(`${file}.part`, file)
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

/** Returns the pattern's match in the newest mail to the address and waits for such a mail; other mails may arrive in between. */
export async function readMail(address: string, pattern: RegExp): Promise<string> {
  const directory = process.env.E2E_MAIL_DIR ?? ''
  let found: string | undefined
  await expect
    .poll(async () => {
      const names = (await readdir(directory)).filter((name) => name.endsWith('.json')).sort()
      const mails: KeptMail[] = await Promise.all(
        names.map(async (name) => JSON.parse(await readFile(join(directory, name), 'utf8'))),
      )
      found = mails.flatMap(({ to, text }) => (to === address ? (pattern.exec(text)?.[0] ?? []) : [])).at(-1)
      return found
    })
    .toBeDefined()
  return found ?? ''
}
