// A stand-in for Google Sheets, in the demo and in tests. It speaks the HTTP of the Sheets API v4: it checks the signed assertion of the service
// account, serves grids, and fails on request.

import { generateKeyPairSync, type KeyObject, randomUUID, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenUsually } from './listen-usually.ts'

export type CellValue = string | number | boolean

/** Half-open, from 0. */
export interface MergedRange {
  readonly startRow: number
  readonly endRow: number
  readonly startColumn: number
  readonly endColumn: number
}

export interface ServedTab {
  readonly id: number
  readonly title: string
  readonly rows: readonly (readonly CellValue[])[]
  readonly merges?: readonly MergedRange[]
}

export interface Spreadsheet {
  readonly title: string
  readonly locale: string
  readonly timeZone: string
  readonly tabs: readonly ServedTab[]
  /** False: nobody has shared it with the service account. */
  readonly isShared?: boolean
}

/** How one read fails. `cut`: the connection ends within the answer. */
export type Fault =
  | { readonly status: number; readonly retryAfter?: number }
  | { readonly slowMs: number }
  | 'cut'
  | 'cut json'

export interface GoogleSheetsServer {
  readonly url: string
  /** The key of the service account, as Google gives it. */
  readonly credential: string
  readonly account: string
  /** 'get <file>', 'values <file>' and 'token', in order. */
  readonly calls: readonly string[]
  /** Characters of the largest answer so far. */
  readonly largestAnswer: number
  /** The next reads fail like this, in order. */
  fail(...faults: readonly Fault[]): void
  /** From now on the key is refused; false: accepted again. */
  revoke(isRevoked?: boolean): void
  stop(): Promise<void>
}

/** Undefined: there is no such file. */
export type FileOf = (id: string) => Promise<Spreadsheet | undefined> | Spreadsheet | undefined

const AUDIENCE = 'https://oauth2.googleapis.com/token'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const SCOPE = 'https://www.googleapis.com/auth/spreadsheets.readonly'
const ACCOUNT = 'spends@tributary-demo.iam.gserviceaccount.com'
const LONGEST_SECONDS = 3600

interface State {
  readonly publicKey: KeyObject
  readonly fileOf: FileOf
  readonly calls: string[]
  readonly faults: Fault[]
  tokens: Set<string>
  isRevoked: boolean
  largestAnswer: number
}

/** `usualPort`: tried first, so that the address in the record still leads here after a restart. */
export async function startGoogleSheetsServer(fileOf: FileOf, usualPort = 0): Promise<GoogleSheetsServer> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const state: State = {
    publicKey,
    fileOf,
    calls: [],
    faults: [],
    tokens: new Set(),
    isRevoked: false,
    largestAnswer: 0,
  }
  const server = createServer((request, response) => {
    answer(state, request, response).catch(() => sendError(response, 500, 'INTERNAL', 'out of order'))
  })
  const port = await listenUsually(server, usualPort)
  return {
    url: `http://127.0.0.1:${port}`,
    account: ACCOUNT,
    credential: JSON.stringify({
      type: 'service_account',
      client_email: ACCOUNT,
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: AUDIENCE,
    }),
    calls: state.calls,
    get largestAnswer() {
      return state.largestAnswer
    },
    fail: (...faults) => void state.faults.push(...faults),
    revoke(isRevoked = true) {
      state.isRevoked = isRevoked
      state.tokens = new Set()
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const send = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const sendError = (response: ServerResponse, code: number, status: string, message: string, headers = {}): void =>
  send(response, code, { error: { code, status, message } }, headers)

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://here')
  if (request.method === 'POST' && url.pathname === '/token') return giveToken(state, request, response)
  const page = /^\/spreadsheets\/d\/([\w-]+)\/edit$/.exec(url.pathname)
  if (page !== null) return showPage(state, page[1] ?? '', response)
  const read = /^\/v4\/spreadsheets\/([\w-]+)(\/values:batchGet)?$/.exec(url.pathname)
  if (request.method !== 'GET' || read === null) return sendError(response, 404, 'NOT_FOUND', 'no such method')
  const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
  if (!state.tokens.has(token)) return sendError(response, 401, 'UNAUTHENTICATED', 'Request had invalid credentials.')
  const [, id = '', values] = read
  state.calls.push(`${values === undefined ? 'get' : 'values'} ${id}`)
  const fault = state.faults.shift()
  if (typeof fault === 'object' && 'status' in fault) return sendFault(response, fault)
  if (typeof fault === 'object') await sleep(fault.slowMs)
  const file = await state.fileOf(id)
  if (file === undefined) return sendError(response, 404, 'NOT_FOUND', 'Requested entity was not found.')
  if (file.isShared === false)
    return sendError(response, 403, 'PERMISSION_DENIED', 'The caller does not have permission')
  const body = values === undefined ? describe(id, file) : valuesOf(id, file, url.searchParams)
  if (body === undefined) return sendError(response, 400, 'INVALID_ARGUMENT', 'Unable to parse range')
  const text = JSON.stringify(body)
  state.largestAnswer = Math.max(state.largestAnswer, text.length)
  if (fault === 'cut' || fault === 'cut json') return cut(response, text, fault)
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}

function sendFault(response: ServerResponse, { status, retryAfter }: { status: number; retryAfter?: number }): void {
  const names: Record<number, string> = { 403: 'PERMISSION_DENIED', 404: 'NOT_FOUND', 429: 'RESOURCE_EXHAUSTED' }
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  sendError(response, status, names[status] ?? 'UNAVAILABLE', 'told to fail', headers)
}

function cut(response: ServerResponse, text: string, how: 'cut' | 'cut json'): void {
  const half = text.slice(0, Math.floor(text.length / 2))
  if (how === 'cut json') response.writeHead(200, { 'content-type': 'application/json' }).end(half)
  else {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length * 2) })
    response.write(half, () => response.destroy())
  }
}

async function giveToken(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  state.calls.push('token')
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const form = new URLSearchParams(Buffer.concat(pieces).toString('utf8'))
  const fault = form.get('grant_type') === GRANT ? faultOfAssertion(state, form.get('assertion') ?? '') : 'grant_type'
  if (fault !== null) return send(response, 400, { error: 'invalid_grant', error_description: `Invalid JWT: ${fault}` })
  const token = randomUUID()
  state.tokens.add(token)
  send(response, 200, { access_token: token, expires_in: LONGEST_SECONDS, token_type: 'Bearer' })
}

/** What is wrong with the signed assertion; null: nothing. */
function faultOfAssertion({ publicKey, isRevoked }: State, assertion: string): string | null {
  const [head = '', claims = '', signature = ''] = assertion.split('.')
  const decode = (part: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>
  if (isRevoked || decode(head).alg !== 'RS256') return 'key'
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${claims}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) return 'signature'
  const { iss, aud, scope, exp, iat } = decode(claims)
  const now = Date.now() / 1000
  if (iss !== ACCOUNT) return 'iss'
  if (aud !== AUDIENCE) return 'aud'
  if (scope !== SCOPE) return 'scope'
  if (typeof exp !== 'number' || typeof iat !== 'number' || exp < now || exp - iat > LONGEST_SECONDS) return 'exp'
  return null
}

const describe = (id: string, { title, locale, timeZone, tabs }: Spreadsheet): object => ({
  spreadsheetId: id,
  properties: { title, locale, timeZone },
  sheets: tabs.map(({ id: sheetId, title: name, rows, merges = [] }, index) => ({
    properties: {
      // As in Google's answers, zero is left out.
      ...(sheetId === 0 ? {} : { sheetId }),
      title: name,
      index,
      sheetType: 'GRID',
      gridProperties: {
        rowCount: Math.max(1000, rows.length),
        columnCount: rows.reduce((widest, row) => Math.max(widest, row.length), 40),
      },
    },
    ...(merges.length > 0 && {
      merges: merges.map(({ startRow, endRow, startColumn, endColumn }) => ({
        sheetId,
        startRowIndex: startRow,
        endRowIndex: endRow,
        startColumnIndex: startColumn,
        endColumnIndex: endColumn,
      })),
    }),
  })),
})

/** Rows come without trailing blank cells, tabs without trailing blank rows. Undefined: a range that is not understood. */
function valuesOf(id: string, { tabs }: Spreadsheet, query: URLSearchParams): object | undefined {
  const isUnformatted = query.get('valueRenderOption') === 'UNFORMATTED_VALUE'
  if (!isUnformatted || query.get('dateTimeRenderOption') !== 'SERIAL_NUMBER') return undefined
  const ranges = query.getAll('ranges').map((range) => {
    const [, quoted = '', column = '', rows = '0'] = /^'((?:[^']|'')+)'!A1:([A-Z]+)(\d+)$/.exec(range) ?? []
    const tab = tabs.find(({ title }) => title === quoted.replaceAll("''", "'"))
    return tab && { range, majorDimension: 'ROWS', values: trim(cutTo(tab.rows, Number(rows), columnNumber(column))) }
  })
  return ranges.includes(undefined) ? undefined : { spreadsheetId: id, valueRanges: ranges }
}

const columnNumber = (letters: string): number =>
  letters.split('').reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)

const cutTo = (rows: ServedTab['rows'], height: number, width: number): ServedTab['rows'] =>
  rows.slice(0, height).map((row) => row.slice(0, width))

function trim(rows: readonly (readonly CellValue[])[]): (readonly CellValue[])[] {
  const trimmed = rows.map((row) => row.slice(0, row.findLastIndex((value) => value !== '') + 1))
  return trimmed.slice(0, trimmed.findLastIndex((row) => row.length > 0) + 1)
}

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Where links to cells lead. */
async function showPage({ fileOf }: State, id: string, response: ServerResponse): Promise<void> {
  const file = await fileOf(id)
  if (file === undefined) return sendError(response, 404, 'NOT_FOUND', 'no such file')
  const tables = file.tabs.map(({ title, rows }) => {
    const lines = rows.map((row) => `<tr>${row.map((value) => `<td>${escapeHtml(String(value))}`).join('')}`)
    return `<h2>${escapeHtml(title)}</h2><table border>${lines.join('')}</table>`
  })
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><title>${escapeHtml(file.title)}</title>${tables.join('')}`)
}
