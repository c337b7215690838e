// A mail server for tests that stores parsed mails.
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { vi } from 'vitest'
import { atEndOfFile } from './cleanup.ts'

export interface MailServer {
  readonly url: string
  readonly mails: Email[]
  /** Resolves with the next mail that arrives after this call. */
  next(): Promise<Email>
  /** Rejects further mails with 451. */
  refuse(isRefusing: boolean): void
}

export async function startMailServer(): Promise<MailServer> {
  const mails: Email[] = []
  let isRefusing = false
  const keep = async (raw: Buffer, done: () => void): Promise<void> => {
    mails.push(await PostalMime.parse(raw))
    done()
  }
  const server = new SMTPServer({
    authMethods: ['PLAIN'],
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      done(username === 'post' && password === 'man' ? null : new Error('no'), { user: username }),
    onData(stream, _session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (isRefusing) done(Object.assign(new Error('later'), { responseCode: 451 }))
        else void keep(Buffer.concat(parts), done)
      })
    },
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  atEndOfFile(
    () =>
      new Promise<void>((resolve) => {
        server.close(resolve)
      }),
  )
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://post:man@127.0.0.1:${port}`,
    mails,
    async next() {
      const seen = mails.length
      return vi.waitFor(
        () => {
          const mail = mails[seen]
          if (mail === undefined) throw new Error('no mail has come')
          return mail
        },
        { timeout: 20_000, interval: 20 },
      )
    },
    refuse: (refusing) => {
      isRefusing = refusing
    },
  }
}
