// Starts the real product for browser tests: the server with its small demo network, in its own folder and on its own port. Nothing is
// faked; tests wait for what the demo prints (address, e-mail, password, code).
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const READY_LIMIT_MS = 180_000
const STOP_LIMIT_MS = 20_000
const PRINTED = { email: /^ *e-mail +(\S+@\S+)$/gim, password: /^ *password +(\S+)$/gim, code: /^ *code +(\d{6})/gim }

export type Printed = { email: string; password: string; code: string }
export type Credentials = { email: string; password: string; totpSecret: string }
export type Product = {
  baseUrl: string
  credentials: Credentials
  /** The currently printed values, including the newest code. */
  printed: () => Printed
  stop: () => Promise<void>
}

interface ProductOptions {
  /** The first admin has the given `credentials`; otherwise the demo creates and prints its own. */
  isNamed?: boolean
  /** The mail server; without one, mails are written to files. */
  smtpUrl?: string
  /** Past months are closed and have statements; otherwise they are open, so that tests change terms and spend of any day. */
  hasClosedMonths?: boolean
}

/** Another program may take the free port before the product does; then it starts on another one. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  try {
    return await startOnFreePort(options)
  } catch (error) {
    if (!/PORT=\d+ is in use/.test(String(error))) throw error
    return startOnFreePort(options)
  }
}

async function startOnFreePort({ isNamed = true, smtpUrl, hasClosedMonths = false }: ProductOptions): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-e2e-'))
  // PostgreSQL may run as another user, who must be able to enter the folder.
  await chmod(dataDir, 0o755)
  const port = await findFreePort()
  const baseUrl = `http://localhost:${port}`
  const credentials = { email: 'admin@tributary.example', password: 'Story.2026!', totpSecret: makeTotpSecret() }
  const child = spawn(join(ROOT, 'node_modules/.bin/node'), ['demo/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      DEMO_SIZE: 'small',
      ...(!hasClosedMonths && { DEMO_MONTHS: 'open' }),
      // A row that moves while a test reads it fails the test.
      DEMO_VISITORS: 'none',
      DRAIN_SECONDS: '0',
      ...(smtpUrl !== undefined && { SMTP_URL: smtpUrl }),
      ...(isNamed && {
        ADMIN_EMAIL: credentials.email,
        ADMIN_PASSWORD: credentials.password,
        ADMIN_TOTP_SECRET: credentials.totpSecret,
      }),
    },
  })
  const output = collectOutput(child)
  const stop = async () => {
    await endProcess(child)
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const first = await waitUntilReady(child, baseUrl, output)
    return { baseUrl, credentials, printed: () => readPrinted(output()) ?? first, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The product is ready when its health check says so and the sign-in data is printed. */
async function waitUntilReady(child: ChildProcess, baseUrl: string, output: () => string): Promise<Printed> {
  const deadline = Date.now() + READY_LIMIT_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the product ended with ${child.exitCode}:\n${output()}`)
    const printed = readPrinted(output())
    if (printed !== undefined && (await isReady(baseUrl))) return printed
    await sleep(200)
  }
  throw new Error(`the product was not ready after ${READY_LIMIT_MS / 1000} s:\n${output()}`)
}

function readPrinted(text: string): Printed | undefined {
  const [email, password, code] = [PRINTED.email, PRINTED.password, PRINTED.code].map(
    (form) => [...text.matchAll(form)].at(-1)?.[1],
  )
  return email && password && code ? { email, password, code } : undefined
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/api/health/ready`)).ok
  } catch {
    return false
  }
}

/** Stores the last 20,000 characters: enough to explain a failed start. */
function collectOutput(child: ChildProcess): () => string {
  let text = ''
  const take = (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-20_000)
  }
  child.stdout?.on('data', take)
  child.stderr?.on('data', take)
  return () => text
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const wasGraceful = await Promise.race([ended.then(() => true), sleep(STOP_LIMIT_MS, false, { ref: false })])
  if (!wasGraceful) {
    child.kill('SIGKILL')
    await ended
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** 20 random bytes in base32, the format of authenticator apps. */
function makeTotpSecret(): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  return Array.from(randomBytes(32), (byte) => alphabet.charAt(byte % 32)).join('')
}
