// A ClickHouse over HTTP for tests: the real engine in this process behind the part of ClickHouse's HTTP interface that its client uses
// (parameters and settings in the URL or a form, errors by code).

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Session } from 'chdb'

export interface ClickhouseOverHttp {
  url: string
  close(): Promise<void>
}

const NOT_SETTINGS = new Set(['query', 'query_id', 'database', 'default_format', 'session_id', 'compress', 'role'])
const HTTP_ONLY = new Set([
  'enable_http_compression',
  'wait_end_of_query',
  'send_progress_in_http_headers',
  'http_write_exception_in_output_format',
  'cancel_http_readonly_queries_on_client_close',
  // Applies to one request; in a session it would stay.
  'readonly',
])
const READ = /^\s*(select|with|check|\()/i

export async function serveClickhouse(
  directory: string,
  usualPort = 0,
  connectionArgs: string[] = [],
): Promise<ClickhouseOverHttp> {
  const session = new Session(directory, { connectionArgs })
  let last: Promise<unknown> = Promise.resolve()
  const server = createServer((request, response) => {
    last = last.then(() => answer(session, request, response)).catch((error: unknown) => fail(response, error))
  })
  await new Promise<void>((resolve) => server.listen(usualPort, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      session.close()
    },
  }
}

async function answer(session: Session, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const body = await readBody(request)
  const type = request.headers['content-type'] ?? ''
  const form = type.startsWith('multipart/') ? await readForm(type, body) : new URLSearchParams()
  const all = new URLSearchParams([...searchParams, ...form])
  const insert = /^(INSERT INTO [^)]*\)) FORMAT Native$/.exec(all.get('query') ?? '')?.[1]
  if (insert !== undefined) return insertNative(session, insert, body, response)
  const sql = type.startsWith('multipart/') ? (all.get('query') ?? '') : `${all.get('query') ?? ''}\n${body.toString()}`
  if (all.has('readonly') && !READ.test(sql)) throw new Error('Code: 164. DB::Exception: it only reads (READONLY)')
  const settings = settingsOf(all)
  // Settings apply to one request, too: those of the previous request are reset.
  const over = [...(lastSettings.get(session) ?? [])].filter((name) => !settings.has(name))
  lastSettings.set(session, new Set(settings.keys()))
  const statements = [...over.map((name) => `SET ${name} = DEFAULT`), ...settings.values(), ...paramsOf(all)].join(
    ';\n',
  )
  if (statements !== '') await session.queryAsync(statements)
  const result = await session.queryAsync(sql.trim(), { format: 'TabSeparated' })
  response.writeHead(200, { 'content-type': 'text/plain' }).end(result.bytes())
}

/** The session takes statements as text, so that binary rows go through a file. */
async function insertNative(session: Session, insert: string, rows: Buffer, response: ServerResponse): Promise<void> {
  const file = join(mkdtempSync(join(tmpdir(), 'tributary-native-')), 'rows')
  writeFileSync(file, rows)
  await session
    .queryAsync(`${insert} SELECT * FROM file('${file}', 'Native')`)
    .finally(() => rmSync(dirname(file), { recursive: true }))
  response.writeHead(200).end()
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const body = Buffer.concat(chunks)
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
}

async function readForm(type: string, body: Buffer): Promise<URLSearchParams> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  return new URLSearchParams([...form].map(([name, value]) => [name, typeof value === 'string' ? value : '']))
}

const literal = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

const lastSettings = new WeakMap<Session, ReadonlySet<string>>()

/** The statements that apply settings, by name. */
function settingsOf(all: URLSearchParams): Map<string, string> {
  const isSetting = (name: string): boolean =>
    !NOT_SETTINGS.has(name) && !HTTP_ONLY.has(name) && !name.startsWith('param_')
  return new Map(
    [...all].filter(([name]) => isSetting(name)).map(([name, value]) => [name, `SET ${name} = ${literal(value)}`]),
  )
}

const paramsOf = (all: URLSearchParams): string[] =>
  [...all].filter(([name]) => name.startsWith('param_')).map(([name, value]) => `SET ${name} = ${literal(value)}`)

function fail(response: ServerResponse, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  const code = /Code: (\d+)\./.exec(message)?.[1] ?? '1000'
  response.writeHead(500, { 'x-clickhouse-exception-code': code }).end(message)
}
